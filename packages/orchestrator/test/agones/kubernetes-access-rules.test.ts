import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestCluster, testCluster } from '../../src/agones/testing/index'
import { call, gameServer, listSecrets, POD_PATH, SECRET_PATH, SERVERS, secret } from './api-client'

/* Each test states a rule in the words of Kubernetes' documentation. */

let cluster: TestCluster

beforeEach(async () => {
  cluster = await testCluster()
})
afterEach(() => cluster.close())

const listed = (query?: string) => listSecrets(cluster, query)

describe('access', () => {
  test('what no rule allows is denied (403): verbs, resources and subresources each by themselves', async () => {
    cluster.api.rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }]
    expect((await listed()).items).toEqual([])
    const denied = await call(cluster, 'POST', SECRET_PATH, secret('a'))
    expect([denied.code, denied.body.reason]).toEqual([403, 'Forbidden'])
    expect((await call(cluster, 'GET', `${SECRET_PATH}?watch=true`)).code).toBe(403)
    expect((await call(cluster, 'GET', POD_PATH)).code).toBe(403)
    cluster.api.rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
    expect((await call(cluster, 'GET', `${POD_PATH}/p/log`)).code).toBe(403)
    expect((await call(cluster, 'GET', `${POD_PATH}/p`)).code).toBe(404)
  })

  test('a SelfSubjectAccessReview tells whether the caller may', async () => {
    cluster.api.rules = [{ apiGroups: ['agones.dev'], resources: ['gameservers'], verbs: ['create'] }]
    const may = async (verb: string) => {
      const resourceAttributes = { verb, group: 'agones.dev', resource: 'gameservers', namespace: 'games' }
      const answer = await call(cluster, 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: { resourceAttributes },
      })
      return answer.body.status.allowed
    }
    expect([await may('create'), await may('delete')]).toEqual([true, false])
  })

  test('who has no token is Unauthorized (401)', async () => {
    expect((await call(cluster, 'GET', SECRET_PATH, undefined, { authorization: 'Bearer wrong' })).code).toBe(401)
  })

  test('a quota refuses what exceeds it as Forbidden (403), in words of its own', async () => {
    cluster.api.quotas.set('count/gameservers.agones.dev', 1)
    await call(cluster, 'POST', SERVERS, gameServer('a'))
    const answer = await call(cluster, 'POST', SERVERS, gameServer('b'))
    expect([answer.code, answer.body.reason]).toEqual([403, 'Forbidden'])
    expect(answer.body.message).toMatch(
      /exceeded quota: games, requested: count\/gameservers.agones.dev=1, used: .*=1, limited: .*=1/,
    )
  })

  test('a secret is 1 MiB at most (422)', async () => {
    const stringData = { a: 'x'.repeat(1_048_577) }
    expect((await call(cluster, 'POST', SECRET_PATH, secret('a', { stringData }))).code).toBe(422)
  })
})
