// `npm run demo`: plays a whole match against a running service, or against a fresh one.
import { build } from './build.mjs'
import { install, run } from './workspace.mjs'

install()
await build({ fast: true, only: '@matchyard/server' })
run(process.execPath, ['--import', 'tsx', 'examples/demo/src/main.ts', ...process.argv.slice(2)])
