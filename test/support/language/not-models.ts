import { js, yaml } from '#support/language/raw.ts';

/** Files of other tools (path → text), some with a key, a call or a folder that models have too. */
export const notModels: Readonly<Record<string, string>> = {
  'config/views.view.yml': yaml`
    views:
      - name: page
        display: block
        items_per_page: 10
  `,
  'scene/cubes.yaml': yaml`
    cubes:
      - name: red
        color: "#f00"
        position: [0, 1, 0]
  `,
  'lookml/orders.yml': yaml`
    views:
      - name: orders
        sql_table_name: public.orders
        dimensions:
          - dimension: id
            sql: \${TABLE}.id
  `,
  'olap/sales.yml': yaml`
    cubes:
      - name: Sales
        fact: sales_fact
        dimensions:
          - name: Time
            levels: [Year, Month]
        measures:
          - name: Units
            aggregator: sum
  `,
  'docker-compose.yml': yaml`
    services:
      cube:
        image: cubejs/cube:latest
        ports:
          - 4000:4000
  `,
  '.github/workflows/ci.yml': yaml`
    name: CI
    on: [push]
    jobs:
      test:
        runs-on: ubuntu-latest
        steps:
          - run: npm test
  `,
  'models/schema.yml': yaml`
    version: 2
    models:
      - name: orders
        columns:
          - name: id
            tests: [unique]
  `,
  'models/sources.yml': yaml`
    version: 2
    sources:
      - name: raw
        tables:
          - name: orders
  `,
  'dbt_project.yml': yaml`
    name: shop
    version: 1.0.0
    model-paths: [models]
    models:
      shop:
        +materialized: view
  `,
  'semantic_models/orders.yml': yaml`
    semantic_models:
      - name: orders
        measures:
          - name: total
            agg: sum
  `,
  'ui-lovelace.yaml': yaml`
    title: Home
    views:
      - title: Kitchen
        path: kitchen
        cards:
          - type: light
            name: Lamp
  `,
  'lovelace/only-views.yaml': yaml`
    views:
      - title: Kitchen
        cards:
          - name: Lamp
            type: light
  `,
  'calendar/config.yml': yaml`
    theme: dark
    views:
      - month
      - week
  `,
  'app/settings.yaml': yaml`
    views:
      list: true
      grid: false
  `,
  'app/layout.yml': 'views: [list, grid]\n',
  'app/pages.yml': yaml`
    views:
      - name: summary
        title: Summary
      - name: details
        title: Details
        description: All of it
  `,
  'game/level.yml': yaml`
    cubes: 12
    spheres: 3
  `,
  'game/scene.yml': yaml`
    cubes:
      red: [0, 0, 0]
      blue: [1, 0, 0]
  `,
  'game/begun.yml': yaml`
    cubes:
    spheres:
      - name: a
  `,
  'k8s/deployment.yaml': yaml`
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: cube
    spec:
      replicas: 1
  `,
  'k8s/several.yaml': js`
    kind: Service
    metadata: {name: a}
    ---
    kind: ConfigMap
    metadata: {name: b}
    data:
      views.yml: |
        cubes: 1
  `,
  'charts/cube/values.yaml': js`
    image:
      tag: latest
    views: {}
  `,
  'charts/cube/templates/deployment.yaml': js`
    apiVersion: apps/v1
    metadata:
      name: {{ .Release.Name }}
  `,
  'playbook.yml': yaml`
    - hosts: all
      tasks:
        - name: install
          apt: name=git
  `,
  'openapi.yaml': js`
    openapi: 3.1.0
    info: {title: Shop, version: 1}
    paths:
      /cubes:
        get: {}
  `,
  '.pre-commit-config.yaml': yaml`
    repos:
      - repo: local
        hooks:
          - id: a
  `,
  'mkdocs.yml': yaml`
    site_name: Docs
    nav:
      - Home: index.md
  `,
  'pnpm-workspace.yaml': yaml`
    packages:
      - packages/*
  `,
  'serverless.yml': js`
    service: cube
    provider:
      name: aws
    functions:
      cube:
        handler: cube.handler
  `,
  'locale/en.yml': yaml`
    en:
      views:
        - name: List
      cubes:
        - name: Cube
  `,
  'prometheus.yml': yaml`
    scrape_configs:
      - job_name: cube
  `,
  'environment.yml': yaml`
    name: shop
    dependencies:
      - python=3.12
  `,
  'agents/rules.yml': yaml`
    rules:
      - name: be brief
        prompt: Answer briefly.
  `,
  'empty.yml': '',
  'notes.yml': yaml`
    # cubes:
    #   - name: none
  `,
  'query.yml': yaml`
    query: |
      cubes:
        - name: orders
  `,
  'cube.js': "module.exports = {\n  schemaPath: 'model',\n  contextToAppId: () => 'a',\n};\n",
  'src/scene.js':
    "import * as THREE from 'three';\nconst cube = new THREE.Mesh(geometry, material);\nscene.add(cube);\n",
  'src/cube-css.js': "export const box = () => {\n  cube('red');\n};\n",
  'src/pages.js': "router.get('/', () => {\n  view('home', { user, title });\n});\n",
  'src/app.js': js`
    export default function App() {
      return <div>cube</div>;
    }
  `,
  'model/user.js':
    "const { Schema, model } = require('mongoose');\nmodule.exports = model('User', new Schema({ name: String }));\n",
  'webpack.config.js': "module.exports = { entry: './src/index.js' };\n",
  'test/cube.test.js': "describe('cube', () => {\n  it('has sides', () => expect(sides).toBe(6));\n});\n",
};
