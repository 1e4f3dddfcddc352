import { main } from '../../../create-matchyard/src/main.mjs'
import { linkPackages } from './link.mjs'

// npm runs a script of the workspace in its root, and tells in INIT_CWD in which folder it was called.
process.chdir(process.env.INIT_CWD ?? '.')
process.exitCode = main(process.argv.slice(2), { usage: 'usage: npm run create -- <folder>', install: linkPackages })
