import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { skipWithout } from '@matchyard/tooling/needs'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { CHART, helmIsHere, type Manifest, theOne } from '../../src/helm/render'

const run = promisify(execFile)
const GAMES = 'games'

/** What a release makes of `agones.yaml` in the namespace of its game servers. */
async function amongGameServers(name: string, namespace: string): Promise<readonly Manifest[]> {
  const values = ['--values', join(CHART, 'ci', 'agones.yaml')]
  const { stdout } = await run('helm', ['template', name, CHART, '--namespace', namespace, ...values])
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest)
    .filter(({ metadata }) => metadata.namespace === GAMES)
}

// Three installations named `matchyard` on one cluster shared a Role, and Helm refuses an object that is another release's.
it('releases that share a namespace of game servers have no object in common there', async (context) => {
  if (!helmIsHere()) skipWithout(context, 'Helm', 'it is not on the path')
  const releases = [
    ['matchyard', 'matchyard-eu'],
    ['matchyard', 'matchyard-us'],
    ['us-matchyard', 'matchyard'],
    ['matchyard', 'matchyard'],
  ] as const
  const made: string[] = []
  for (const [name, namespace] of releases) {
    const objects = await amongGameServers(name, namespace)
    made.push(...objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
    const binding = theOne(objects, 'RoleBinding')
    expect(binding.roleRef.name).toBe(theOne(objects, 'Role').metadata.name)
    expect(binding.subjects[0].namespace).toBe(namespace)
  }
  expect(made).toHaveLength(2 * releases.length)
  expect(new Set(made).size).toBe(made.length)
})
