// `npm run demo`: starts a game to play, or with `--script` a match that plays itself. It uses the running service or
// starts a new one.
import { build } from './build.mjs'
import { install, run } from './workspace.mjs'

install()
await build({ fast: true, only: '@matchyard/server' })
run(process.execPath, ['--import', 'tsx', 'examples/demo/src/main.ts', ...process.argv.slice(2)])
