import { yaml } from '../raw.ts';

/** Models that the engine accepts, with each kind of definition; the matrix changes one thing in one of them. */
export const BASE_MODELS: Readonly<Record<string, string>> = {
  'a cube and a view': yaml`
    cubes:
      - name: orders
        sql_table: orders
        title: Orders
        refresh_key: {every: 1 hour}
        joins:
          - name: users
            relationship: many_to_one
            sql: "{CUBE}.user_id = {users.id}"
        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true
          - name: status
            sql: "{CUBE}.status"
            type: string
            mask: {sql: "'***'"}
          - name: total
            sql: total
            type: number
            format: percent
          - name: created_at
            sql: created_at
            type: time
            granularities:
              - {name: half, interval: 6 months, title: Half}
              - {name: fiscal, interval: 1 year, origin: "2024-04-01"}
          - name: place
            type: geo
            latitude: {sql: lat}
            longitude: {sql: lon}
          - name: size
            type: string
            case:
              when:
                - {sql: "{CUBE}.total > 10", label: big}
              else: {label: small}
        measures:
          - name: count
            type: count
            drill_members: [id, status]
          - name: revenue
            sql: "{total}"
            type: sum
            format: currency
            filters:
              - {sql: "{CUBE}.status = 'paid'"}
            rolling_window: {trailing: 1 month, offset: end}
          - name: share
            sql: "{revenue} / {count}"
            type: number
        segments:
          - name: paid
            sql: "{CUBE}.status = 'paid'"
        hierarchies:
          - name: drill
            title: Drill
            levels: [status, id]
        access_policy:
          - group: admin
            conditions:
              - {if: "{ securityContext.isAdmin }"}
            member_level: {includes: [status]}
            member_masking: {includes: [id]}
            row_level:
              filters:
                - {member: status, operator: equals, values: [paid]}
          - groups: [staff]
            member_level: {excludes: [id]}
            row_level: {allow_all: true}
      - name: users
        sql: SELECT * FROM users
        public: false
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: city, sql: city, type: string}
        measures:
          - {name: count, type: count}
        segments:
          - {name: old, sql: "{CUBE}.age > 60"}
    views:
      - name: sales
        title: Sales
        cubes:
          - join_path: orders
            includes:
              - status
              - {name: count, alias: orders_count, title: Orders}
          - join_path: orders.users
            prefix: true
            includes: "*"
            excludes: [id]
        folders:
          - name: basic
            includes: [status]
        access_policy:
          - group: admin
            member_level: {includes: "*"}
            row_level: {allow_all: true}
    view_groups:
      - name: all
        title: All
        views: [sales]
  `,
  'pre-aggregations': yaml`
    cubes:
      - name: orders
        sql_table: orders
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: status, sql: status, type: string}
          - {name: created_at, sql: created_at, type: time}
        measures:
          - {name: count, type: count}
          - {name: total, sql: total, type: sum}
        segments:
          - {name: paid, sql: "{CUBE}.status = 'paid'"}
        pre_aggregations:
          - name: by_day
            measures: [count]
            dimensions: [status]
            segments: [paid]
            time_dimension: created_at
            granularity: day
            partition_granularity: month
            refresh_key: {every: 1 day, incremental: true, update_window: 7 days}
            build_range_start: {sql: "SELECT '2024-01-01'"}
            build_range_end: {sql: "SELECT '2025-01-01'"}
            indexes:
              - {name: by_status, columns: [status]}
          - name: plain
            type: rollup
            measures: [count, total]
            dimensions: [status]
            scheduled_refresh: true
          - name: original
            type: original_sql
            external: true
            unique_key_columns: [id]
          - name: joined
            type: rollup_join
            measures: [count]
            dimensions: [status]
            rollups: [plain, by_day]
          - name: lambda
            type: rollup_lambda
            rollups: [by_day]
  `,
  'multi-stage members and calendars': yaml`
    cubes:
      - name: orders
        sql_table: orders
        calendar: true
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - name: date
            sql: date
            type: time
            time_shift:
              - {interval: 1 year, type: prior, sql: "{CUBE}.previous_year"}
            granularities:
              - {name: week, sql: "{CUBE}.fiscal_week"}
          - name: currency
            type: switch
            values: [eur, usd]
          - name: rank_of
            sql: "{total}"
            type: number
            multi_stage: true
        measures:
          - {name: total, sql: total, type: sum}
          - name: last_year
            sql: "{total}"
            type: number
            multi_stage: true
            time_shift:
              - {time_dimension: date, interval: 1 year, type: prior}
          - name: share
            sql: "{total}"
            type: number
            multi_stage: true
            group_by: [currency]
          - name: best
            sql: "{total}"
            type: rank
            multi_stage: true
            order_by:
              - {sql: "{total}", dir: desc}
            reduce_by: [currency]
          - name: converted
            type: number
            multi_stage: true
            case:
              switch: "{currency}"
              when:
                - {value: eur, sql: "{total}"}
              else: {sql: "{total} * 2"}
  `,
};
