/** Files of other tools, some of which have a key, a call or a folder that models have, too: path → text. */
export const notModels: Readonly<Record<string, string>> = {
  'docker-compose.yml': 'services:\n  cube:\n    image: cubejs/cube:latest\n    ports:\n      - 4000:4000\n',
  '.github/workflows/ci.yml':
    'name: CI\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n',
  'models/schema.yml':
    'version: 2\nmodels:\n  - name: orders\n    columns:\n      - name: id\n        tests: [unique]\n',
  'models/sources.yml': 'version: 2\nsources:\n  - name: raw\n    tables:\n      - name: orders\n',
  'dbt_project.yml': 'name: shop\nversion: 1.0.0\nmodel-paths: [models]\nmodels:\n  shop:\n    +materialized: view\n',
  'semantic_models/orders.yml':
    'semantic_models:\n  - name: orders\n    measures:\n      - name: total\n        agg: sum\n',
  'ui-lovelace.yaml':
    'title: Home\nviews:\n  - title: Kitchen\n    path: kitchen\n    cards:\n      - type: light\n        name: Lamp\n',
  'lovelace/only-views.yaml': 'views:\n  - title: Kitchen\n    cards:\n      - name: Lamp\n        type: light\n',
  'calendar/config.yml': 'theme: dark\nviews:\n  - month\n  - week\n',
  'app/settings.yaml': 'views:\n  list: true\n  grid: false\n',
  'app/layout.yml': 'views: [list, grid]\n',
  'game/level.yml': 'cubes: 12\nspheres: 3\n',
  'game/scene.yml': 'cubes:\n  red: [0, 0, 0]\n  blue: [1, 0, 0]\n',
  'game/begun.yml': 'cubes:\nspheres:\n  - name: a\n',
  'k8s/deployment.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: cube\nspec:\n  replicas: 1\n',
  'k8s/several.yaml':
    'kind: Service\nmetadata: {name: a}\n---\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  views.yml: |\n    cubes: 1\n',
  'charts/cube/values.yaml': 'image:\n  tag: latest\nviews: {}\n',
  'charts/cube/templates/deployment.yaml': 'apiVersion: apps/v1\nmetadata:\n  name: {{ .Release.Name }}\n',
  'playbook.yml': '- hosts: all\n  tasks:\n    - name: install\n      apt: name=git\n',
  'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: Shop, version: 1}\npaths:\n  /cubes:\n    get: {}\n',
  '.pre-commit-config.yaml': 'repos:\n  - repo: local\n    hooks:\n      - id: a\n',
  'mkdocs.yml': 'site_name: Docs\nnav:\n  - Home: index.md\n',
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
  'serverless.yml': 'service: cube\nprovider:\n  name: aws\nfunctions:\n  cube:\n    handler: cube.handler\n',
  'locale/en.yml': 'en:\n  views:\n    - name: List\n  cubes:\n    - name: Cube\n',
  'prometheus.yml': 'scrape_configs:\n  - job_name: cube\n',
  'environment.yml': 'name: shop\ndependencies:\n  - python=3.12\n',
  'agents/rules.yml': 'rules:\n  - name: be brief\n    prompt: Answer briefly.\n',
  'empty.yml': '',
  'notes.yml': '# cubes:\n#   - name: none\n',
  'query.yml': 'query: |\n  cubes:\n    - name: orders\n',
  'cube.js': "module.exports = {\n  schemaPath: 'model',\n  contextToAppId: () => 'a',\n};\n",
  'src/scene.js':
    "import * as THREE from 'three';\nconst cube = new THREE.Mesh(geometry, material);\nscene.add(cube);\n",
  'src/cube-css.js': "export const box = () => {\n  cube('red');\n};\n",
  'src/pages.js': "router.get('/', () => {\n  view('home', { user, title });\n});\n",
  'src/app.js': 'export default function App() {\n  return <div>cube</div>;\n}\n',
  'model/user.js':
    "const { Schema, model } = require('mongoose');\nmodule.exports = model('User', new Schema({ name: String }));\n",
  'webpack.config.js': "module.exports = { entry: './src/index.js' };\n",
  'test/cube.test.js': "describe('cube', () => {\n  it('has sides', () => expect(sides).toBe(6));\n});\n",
};
