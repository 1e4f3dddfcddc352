// `npm start`: installs missing packages, builds the packages that changed, and starts the service with everything
// embedded.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { environment, install, root } from './workspace.mjs'

const cli = join(root, 'packages', 'server', 'dist', 'cli.js')
if (!existsSync(cli)) console.log('  first start: it installs and builds, which takes about two minutes')
install()
await build({ fast: true, only: '@matchyard/server' })
const service = spawn(process.execPath, [cli, 'dev', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment(),
})
// A terminal sends SIGINT to the service as well, so this process only waits until the service exits. SIGTERM reaches
// only this process, which forwards it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => service.kill('SIGTERM'))
service.once('exit', (code) => process.exit(code ?? 1))
