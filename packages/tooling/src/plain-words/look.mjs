// `node packages/tooling/src/plain-words/look.mjs <folder or file …>`: lists each text there that breaks a rule of docs/style.md.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { faultsOfComment, faultsOfProse } from './rules.mjs'
import { commentsOf, paragraphsOf } from './texts.mjs'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const SOURCE = /(?<!\.d)\.(?:ts|tsx|mjs|js|cs|gd)$/
/** Files written by `npm run generate`: their comments come from texts of the API. */
const GENERATED = new Set([
  'packages/client/src/admin/resources.ts',
  'packages/client/src/api/types.ts',
  'packages/engines/unity/Runtime/ErrorCodes.cs',
])

/** Returns each fault in the tracked files of some folders, as `file:line "found" message: text`. */
export function faultsIn(places) {
  const files = execFileSync('git', ['ls-files', '--', ...places], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return files.flatMap((file) => {
    if (GENERATED.has(file)) return []
    if (SOURCE.test(file)) return told(file, commentsOf(textOf(file), file), faultsOfComment)
    return file.endsWith('.md') ? told(file, paragraphsOf(textOf(file)), faultsOfProse) : []
  })
}

const textOf = (file) => readFileSync(join(ROOT, file), 'utf8')

const told = (file, texts, faultsOf) =>
  texts.flatMap(({ line, text }) =>
    faultsOf(text).map(({ found, message }) => `${file}:${line} "${found}" ${message}: ${text.slice(0, 90)}`),
  )

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = faultsIn(process.argv.slice(2))
  for (const fault of faults) console.log(fault)
  console.log(`${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
}
