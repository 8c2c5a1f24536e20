import type { Shell } from './complete.ts';

/**
 * The script of each shell: it registers a function that asks `modelbench complete SHELL` for the word at the cursor. Nothing that was
 * typed is evaluated, because a name in it could be a command. Every word has `=` before it: Windows PowerShell drops empty arguments.
 * The answer's first line says what follows, as `answerFor` writes it.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  // Without compopt, as in bash 3.2 of macOS, files are offered where nothing else is.
  bash: String.raw`# Completion of modelbench for bash
_modelbench_complete() {
  local kind='' line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <(modelbench complete bash "=${'$'}{COMP_LINE:0:COMP_POINT}" "=$COMP_WORDBREAKS" 2>/dev/null)
  case $kind in
    files) ;;
    folders) compopt +o default -o dirnames ;;
    *) compopt +o default ;;
  esac 2>/dev/null
}
complete -o default -F _modelbench_complete modelbench
`,
  zsh: String.raw`#compdef modelbench
# Completion of modelbench for zsh
_modelbench() {
  local -a given answer values shown
  local word line
  for word in "${'$'}{(@)words[2,CURRENT-1]}"; do given+=("=${'$'}{(Q)word}"); done
  given+=("=${'$'}{(Q)PREFIX}")
  answer=("${'$'}{(@f)$(modelbench complete zsh "${'$'}{(@)given}" 2>/dev/null)}")
  [[ $PREFIX == --*=* ]] && compset -P '*='
  case $answer[1] in
    files) _files; return ;;
    folders) _files -/; return ;;
  esac
  for line in "${'$'}{(@)answer[2,-1]}"; do
    [[ -n $line ]] || continue
    values+=("${'$'}{line%%$'\t'*}")
    shown+=("${'$'}{line/$'\t'/  }")
  done
  (( $#values )) && compadd -l -d shown -a values
}
if [[ $funcstack[1] == _modelbench ]]; then
  _modelbench
elif (( $+functions[compdef] )); then
  compdef _modelbench modelbench
else
  autoload -Uz compinit && compinit && compdef _modelbench modelbench
fi
`,
  fish: String.raw`# Completion of modelbench for fish
function __modelbench_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l current (string unescape -- $token)
    or set current (string trim --left --chars "'\"" -- $token)
    set -l answer (modelbench complete fish "="$words[2..-1] "=$current" 2>/dev/null)
    set -l option (string match -r -- '^--[^=]+=' $token)
    set -l path (string replace -r -- '^--[^=]+=' '' $token)
    switch "$answer[1]"
        case files
            printf "$option%s\n" (__fish_complete_path "$path")
        case folders
            printf "$option%s\n" (__fish_complete_directories "$path" '')
        case '*'
            test (count $answer) -gt 1; and printf '%s\n' $answer[2..-1]
    end
end
complete -c modelbench -e
complete -c modelbench -f -a '(__modelbench_complete)'
`,
  powershell: String.raw`# Completion of modelbench for PowerShell
Register-ArgumentCompleter -Native -CommandName modelbench -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $words = @($before) + @($wordToComplete.TrimStart("'", '"')) | ForEach-Object { "=$_" }
    $encoding = [Console]::OutputEncoding
    [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
    try { $answer = @(& modelbench complete powershell @words 2>$null) } finally { [Console]::OutputEncoding = $encoding }
    $answer | Select-Object -Skip 1 | ForEach-Object {
        $value, $description = $_ -split [char]9, 2
        $text = if ($value -match '[^\w./=@%+:-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
        $tip = if ($description) { $description } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $tip)
    }
}
`,
};
