// The long runs of the workspace: `npm run prove -- <name>` and `npm run bench -- <name>`. Without a name, these
// commands list the runs.
import { run } from '../workspace.mjs'

/**
 * @typedef {{ env?: Record<string, string>, command: string, args: string[] }} Step
 * @typedef {{ says: string, minutes: number, needs?: string, steps: Step[] }} Run
 */

/**
 * Returns the step that runs a TypeScript program of the workspace from its sources. `collects` says that the program
 * itself calls the garbage collector.
 */
export function program(path, { collects = false, args = [] } = {}) {
  const flags = [...(collects ? ['--expose-gc'] : []), '--conditions=@matchyard/source', '--import', 'tsx']
  return { command: 'node', args: [...flags, path, ...args] }
}

/**
 * Returns the step that runs test files with more rounds than in `npm test`, or under other conditions. `words` are
 * parts of the files' paths; an empty list selects all files.
 */
export function tests(projects, words, env) {
  const which = projects.flatMap((project) => ['--project', project])
  return { command: 'vitest', args: ['run', '--config', 'vitest.workspace.ts', ...which, ...words], env }
}

/** Returns the runs as lines of text: name, approximate minutes, sentence and needs. */
export function listed(register) {
  const width = Math.max(...Object.keys(register).map((name) => name.length))
  return Object.entries(register).map(([name, { says, minutes, needs }]) => {
    const time = minutes < 1 ? '< 1 min' : `${minutes} min`
    return `${name.padEnd(width)}  ${time.padStart(7)}  ${says}${needs === undefined ? '' : ` Needs ${needs}.`}`
  })
}

/**
 * Runs the entry with the name on the command line, and passes on the words after the name. Lists all entries when the
 * name is missing or unknown.
 */
export function runRegistered(kind, register) {
  const [name, ...words] = process.argv.slice(2)
  const wanted = Object.hasOwn(register, name ?? '') ? register[name] : undefined
  if (wanted === undefined) {
    if (name !== undefined) console.error(`there is no ${kind} "${name}"`)
    console.log(`npm run ${kind} -- <name>\n`)
    for (const line of listed(register)) console.log(line)
    process.exit(name === undefined ? 0 : 1)
  }
  for (const { command, args, env } of wanted.steps) run(command, [...args, ...words], { addedEnv: env })
}
