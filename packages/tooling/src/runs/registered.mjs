// The long runs of the workspace: `npm run prove -- <name>` and `npm run bench -- <name>`; without a name they are listed.
import { run } from '../workspace.mjs'

/**
 * @typedef {{ env?: Record<string, string>, command: string, args: string[] }} Step
 * @typedef {{ says: string, minutes: number, needs?: string, steps: Step[] }} Run
 */

/** A TypeScript program of the workspace, run from its sources. `collects`: it calls the garbage collector itself. */
export function program(path, { collects = false, args = [] } = {}) {
  const flags = [...(collects ? ['--expose-gc'] : []), '--conditions=@matchyard/source', '--import', 'tsx']
  return { command: 'node', args: [...flags, path, ...args] }
}

/** Test files with more rounds than `npm test` gives them, or under other conditions. `words`: parts of their paths; none for all. */
export function tests(projects, words, env) {
  const which = projects.flatMap((project) => ['--project', project])
  return { command: 'vitest', args: ['run', '--config', 'vitest.workspace.ts', ...which, ...words], env }
}

/** The register as lines of text: name, rough minutes, sentence, and what it needs. */
export function listed(register) {
  const width = Math.max(...Object.keys(register).map((name) => name.length))
  return Object.entries(register).map(([name, { says, minutes, needs }]) => {
    const time = minutes < 1 ? '< 1 min' : `${minutes} min`
    return `${name.padEnd(width)}  ${time.padStart(7)}  ${says}${needs === undefined ? '' : ` Needs ${needs}.`}`
  })
}

/** Runs what the command line names, with the words after the name; lists the register where it names nothing or nothing that is there. */
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
