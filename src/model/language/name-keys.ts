/** The spellings of the key of a name: the engine converts `Name` before it reads names. */
export const NAME_KEYS = ['name', 'Name'] as const;
