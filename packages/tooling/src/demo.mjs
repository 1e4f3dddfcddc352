// `npm run demo`: starts a game in which the user can play. With `--script`, starts a match in which scripted players
// play. The command uses the running service or starts a new service.
import { build } from './build.mjs'
import { install, run } from './workspace.mjs'

install()
await build({ fast: true, only: '@matchyard/server' })
run(process.execPath, ['--import', 'tsx', 'examples/demo/src/main.ts', ...process.argv.slice(2)])
