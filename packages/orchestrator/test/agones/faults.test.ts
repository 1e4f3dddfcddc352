import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SECRETS, type TestCluster, testCluster } from '../../src/agones/testing/index'
import { call, listSecrets, makeSecret, SECRET_PATH, watchSecrets } from './api-client'

let cluster: TestCluster

beforeEach(async () => {
  cluster = await testCluster()
})
afterEach(() => cluster.close())

const streams = new AbortController()
const watching = (query: string, path?: string) => watchSecrets(cluster, query, streams.signal, path)
const make = (name: string, labels?: Record<string, string>) => makeSecret(cluster, name, labels)
const listed = (query?: string) => listSecrets(cluster, query)

describe('faults', () => {
  test('lost: it is carried out, and nothing is answered; down: neither; throttled: 429 with retry-after', async () => {
    const { faults } = cluster.server
    faults.judge = () => 'lost'
    await expect(make('lost')).rejects.toThrow()
    faults.judge = () => 'down'
    await expect(make('down')).rejects.toThrow()
    faults.judge = () => 'throttle'
    const answer = await call(cluster, 'GET', SECRET_PATH)
    expect([answer.code, answer.headers.get('retry-after')]).toEqual([429, '1'])
    faults.clear()
    expect(cluster.api.store.list(SECRETS).map(({ metadata }) => metadata.name)).toEqual(['lost'])
  })

  test('a watch is cut before or after any event', async () => {
    const { metadata } = await listed()
    await make('a')
    await make('b')
    const seen = async () => {
      const all: string[] = []
      try {
        for await (const { object } of watching(`resourceVersion=${metadata.resourceVersion}`))
          all.push(object.metadata.name)
      } catch {} // the stream was cut
      return all
    }
    cluster.server.faults.judgeEvent = (index) => (index === 1 ? 'before' : 'pass')
    expect(await seen()).toEqual(['a'])
    cluster.server.faults.judgeEvent = (index) => (index === 1 ? 'after' : 'pass')
    expect(await seen()).toEqual(['a', 'b'])
  })
})
