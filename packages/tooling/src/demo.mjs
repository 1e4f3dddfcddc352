// `npm run demo`: a game to play, or with `--script` a match that plays itself, on the service that runs, or on a fresh one.
import { build } from './build.mjs'
import { install, run } from './workspace.mjs'

install()
await build({ fast: true, only: '@matchyard/server' })
run(process.execPath, ['--import', 'tsx', 'examples/demo/src/main.ts', ...process.argv.slice(2)])
