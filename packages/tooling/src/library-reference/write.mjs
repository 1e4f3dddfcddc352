import { join } from 'node:path'
import { root } from '../workspace.mjs'
import { writeReference } from './pages.mjs'

/** Writes the reference of the library into `docs/reference`, or into the folder of the command line. */
const folder = process.argv[2] ?? join(root, 'docs/reference')
const warnings = await writeReference(folder)
for (const warning of warnings) console.error(warning)
if (warnings.length > 0) process.exitCode = 1
else console.log(`${folder}/README.md`)
