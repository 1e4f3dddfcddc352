import { setTimeout as sleep } from 'node:timers/promises'
import { KubeConfig } from '@kubernetes/client-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KubeClient } from '../../../src/agones/kube/client'
import { connectionOf } from '../../../src/agones/kube/connection'
import { Unreachable } from '../../../src/agones/kube/errors'
import { SECRETS as PATH } from '../../../src/agones/kube/resources'
import { SECRETS, type TestCluster, testCluster } from '../../../src/agones/testing/index'

/* Tests how the adapter reads a list that comes in several pages. */

let cluster: TestCluster
let client: KubeClient

beforeEach(async () => {
  cluster = await testCluster()
  cluster.api.mostInAPage = 2
  const config = new KubeConfig()
  config.loadFromString(cluster.kubeconfig())
  client = new KubeClient(connectionOf(config), 'games', { now: () => performance.now(), pause: (ms) => sleep(ms) })
  for (const name of ['a', 'b', 'c', 'd', 'e']) make(name)
})
afterEach(() => cluster.close())

const make = (name: string) => cluster.api.create(SECRETS, 'games', { metadata: { name, labels: { app: 'x' } } })

/** Reads a list, and runs `happens` before the nth call for a page. Returns the result. */
async function listed(nth: number, happens: () => void) {
  let calls = 0
  cluster.server.faults.judge = ({ verb }) => {
    if (verb === 'list' && ++calls === nth) happens()
    return 'pass'
  }
  const before = cluster.api.store.resourceVersion
  const { items, version } = await client.list(PATH, 'app=x')
  const { resourceVersion: now } = cluster.api.store
  return {
    names: items.map(({ metadata }) => metadata.name).join(' '),
    calls,
    isOf: { [before]: 'before', [now]: 'now' }[version],
  }
}

function changes(): void {
  cluster.api.delete(SECRETS, 'games', 'a', {})
  cluster.api.delete(SECRETS, 'games', 'd', {})
  make('bb')
}

test('what is in the pages of a list is from one moment, and so is the version that is watched from', async () => {
  expect(await listed(2, changes)).toEqual({ names: 'a b c d e', calls: 3, isOf: 'before' })
})

test.each([2, 3])('a list whose version is forgotten before its page %i is begun again', async (page) => {
  const forgotten = () => {
    changes()
    cluster.api.store.compact()
  }
  // The adapter must not join the pages that it has read with the rest as it is now: such a list never existed.
  expect(await listed(page, forgotten)).toEqual({ names: 'b bb c e', calls: page + 2, isOf: 'now' })
})

test('one that is forgotten again and again is given up as a cluster that does not answer: who asks pauses', async () => {
  let pages = 0
  cluster.server.faults.judge = () => {
    if (++pages % 2 === 0) {
      make(`z${pages}`)
      cluster.api.store.compact()
    }
    return 'pass'
  }
  await expect(client.list(PATH, 'app=x')).rejects.toThrow(Unreachable)
  expect(pages).toBe(6)
})
