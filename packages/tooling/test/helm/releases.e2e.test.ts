import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { CHART, helmIsHere, type Manifest, RELEASE, theOne } from '../../src/helm/render'
import { skipWithout } from '../../src/needs'

const run = promisify(execFile)
const GAMES = 'games'

/** Returns the objects that a release renders from `agones.yaml`; `more` holds further arguments of the command. */
async function installed(name: string, namespace: string, more: readonly string[] = []): Promise<readonly Manifest[]> {
  const values = ['--values', join(CHART, 'ci', 'agones.yaml')]
  const { stdout } = await run('helm', ['template', name, CHART, '--namespace', namespace, ...values, ...more])
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

// Once, three installations named `matchyard` on one cluster shared a Role. Helm refuses an object that belongs to
// another release.
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
    const objects = (await installed(name, namespace)).filter(({ metadata }) => metadata.namespace === GAMES)
    made.push(...objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
    const binding = theOne(objects, 'RoleBinding')
    expect(binding.roleRef.name).toBe(theOne(objects, 'Role').metadata.name)
    expect(binding.subjects[0].namespace).toBe(namespace)
  }
  expect(made).toHaveLength(2 * releases.length)
  expect(new Set(made).size).toBe(made.length)
})

// Once, four workers had the CPU and the memory of one.
it('workers have what docs/scaling.md says that they need', async (context) => {
  if (!helmIsHere()) skipWithout(context, 'Helm', 'it is not on the path')
  const page = readFileSync(fileURLToPath(new URL('../../../../docs/scaling.md', import.meta.url)), 'utf8')
  const [command = ''] = /^helm upgrade (?:.*\\\n)*.*$/m.exec(page) ?? []
  const sets = [...command.matchAll(/--set (\S+)/g)].flatMap(([, set = '']) => ['--set', set])
  const { replicas, template } = theOne(await installed(RELEASE.name, RELEASE.namespace, sets), 'Deployment').spec
  const [{ resources, args }] = template.spec.containers
  expect(page).toContain('six nodes of four workers, 8 GB each')
  expect([replicas, resources.requests.cpu, resources.limits.memory]).toEqual([6, 4, '8Gi'])
  expect(JSON.stringify([args, template.spec.containers[0].env])).toMatch(/"WORKERS","value":"4"|--workers/)
})
