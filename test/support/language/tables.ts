import { json } from './raw.ts';

/** A manifest in the format of dbt 1.9, reduced to the fields that matter. */
export const MANIFEST = json`
  {
    "metadata": {"dbt_version": "1.9.1", "adapter_type": "postgres"},
    "nodes": {
      "model.shop.orders": {
        "resource_type": "model", "database": "analytics", "schema": "shop", "name": "orders", "alias": "orders",
        "relation_name": "\"analytics\".\"shop\".\"orders\"", "description": "All orders,\nalso \"open\" ones.",
        "config": {"materialized": "table"},
        "columns": {
          "id": {"name": "id", "description": "", "data_type": null, "constraints": []},
          "status": {"name": "status", "description": "open, paid or {sent}", "data_type": "text", "quote": null}
        }
      },
      "model.shop.stg_orders": {
        "resource_type": "model", "database": "analytics", "schema": "shop", "name": "stg_orders", "relation_name": null,
        "config": {"materialized": "ephemeral"}, "columns": {}
      },
      "seed.shop.countries": {
        "resource_type": "seed", "database": "analytics", "schema": "shop", "name": "countries",
        "relation_name": "\"analytics\".\"shop\".\"countries\"", "config": {"materialized": "seed"},
        "columns": {"code": {"name": "code", "data_type": "varchar(2)", "constraints": [{"type": "primary_key"}]}}
      },
      "test.shop.unique_orders_id.1": {
        "resource_type": "test", "attached_node": "model.shop.orders", "column_name": "id",
        "test_metadata": {"name": "unique", "namespace": null, "kwargs": {"column_name": "id"}},
        "config": {"enabled": true, "severity": "ERROR", "where": null}
      },
      "test.shop.not_null_orders_id.2": {
        "resource_type": "test", "depends_on": {"nodes": ["model.shop.orders"]},
        "test_metadata": {"name": "not_null", "kwargs": {"column_name": "ID"}},
        "config": {"enabled": true, "severity": "ERROR", "where": null}
      },
      "test.shop.unique_orders_status.3": {
        "resource_type": "test", "attached_node": "model.shop.orders", "column_name": "status",
        "test_metadata": {"name": "unique", "kwargs": {"column_name": "status"}}, "config": {"where": null}
      },
      "analysis.shop.a": {"resource_type": "analysis", "name": "a", "schema": "shop", "relation_name": null}
    },
    "sources": {
      "source.shop.raw.customers": {
        "resource_type": "source", "database": "analytics", "schema": "raw", "name": "customers", "identifier": "Customers",
        "relation_name": "\"analytics\".\"raw\".\"Customers\"", "columns": {}
      }
    }
  }
`;

/** The catalog of the same project. */
export const CATALOG = json`
  {
    "metadata": {"dbt_version": "1.9.1"},
    "nodes": {
      "model.shop.orders": {
        "metadata": {"type": "BASE TABLE", "schema": "shop", "name": "orders", "database": "analytics", "comment": null},
        "columns": {
          "created_at": {"type": "timestamp with time zone", "index": 3, "name": "created_at", "comment": "When it was made."},
          "id": {"type": "bigint", "index": 1, "name": "id", "comment": null},
          "status": {"type": "character varying(20)", "index": 2, "name": "status", "comment": "ignored"}
        }
      }
    },
    "sources": {
      "source.shop.raw.events": {
        "metadata": {"schema": "raw", "name": "events", "database": "analytics", "comment": "What happened."},
        "columns": {"Event ID": {"type": "uuid", "index": 1, "name": "Event ID"}}
      }
    },
    "errors": null
  }
`;

/** A saved list of tables. */
export const LIST = json`
  {
    "database_type": "snowflake",
    "tables": [
      {
        "database": "ANALYTICS", "schema": "SHOP", "name": "ORDERS", "description": "All orders.",
        "columns": [
          {"name": "ORDER_ID", "type": "NUMBER(38,0)", "primary_key": true},
          {"name": "STATUS", "type": "VARCHAR", "description": "Where it is."}
        ]
      },
      {"name": "loose"}
    ]
  }
`;
