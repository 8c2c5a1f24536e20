const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Functions that every database reads as aggregates. In some databases `min` and `max` of several values are not. */
export const AGGREGATE_FUNCTIONS = set(
  'sum avg count min max stddev stddev_pop stddev_samp variance var_pop var_samp array_agg string_agg listagg group_concat ' +
    'approx_count_distinct approx_distinct countif count_if bool_and bool_or median percentile_cont percentile_disc any_value ' +
    'json_agg jsonb_agg json_object_agg jsonb_object_agg json_arrayagg json_objectagg xmlagg object_agg max_by min_by argmax ' +
    'argmin logical_and logical_or every corr covar_pop covar_samp approx_percentile approx_quantiles uniq uniqexact ' +
    'grouparray groupuniqarray sumif avgif count_distinct count_big mode quantile percentile percentile_approx stdev stdevp varp ' +
    'bit_and bit_or bit_xor collect_list collect_set map_agg arbitrary skewness kurtosis regr_slope regr_intercept',
);

/** Functions on one row in every database: their arguments are not aggregated. */
export const SCALARS = set(
  'abs ceil ceiling floor round trunc cast try_cast safe_cast convert coalesce ifnull nvl nullif greatest least concat ' +
    'upper lower trim ltrim rtrim substr substring replace length char_length sqrt power exp ln log mod sign date_trunc ' +
    'date_diff datediff dateadd date_add date_sub extract date timestamp to_date to_timestamp to_char year month day hour',
);

/** Words before a bracket that are not functions: its contents are judged as if they stood alone. */
export const WORDS_BEFORE_BRACKET = set(
  'and or not in case when then else end between like ilike is as any all some distinct',
);

/** Words that are values themselves, not columns. */
export const CONSTANTS = set(
  'null true false current_date current_timestamp current_time localtime localtimestamp current_user sysdate rownum default ' +
    'current_timestamp_ntz systimestamp getdate session_user user inf nan',
);
