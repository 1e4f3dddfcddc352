import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../workspace.mjs'
import { linkPackages } from './link.mjs'

const { main } = await import(pathToFileURL(join(root, 'packages/create-matchyard/src/main.mjs')).href)

// npm runs a script of the workspace in its root, and tells in INIT_CWD in which folder it was called.
process.chdir(process.env.INIT_CWD ?? '.')
process.exitCode = main(process.argv.slice(2), { usage: 'usage: npm run create -- <folder>', install: linkPackages })
