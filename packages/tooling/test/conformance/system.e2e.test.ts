import { expect } from 'vitest'
import { outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import { World } from '../../src/conformance/world'

rule('C-9-08', async () => {
  const world = await World.open()
  for (const path of ['/livez', '/readyz', '/openapi.json']) {
    expect((await world.nobody(`GET ${path}`)).status, path).toBe(200)
  }
})

rule('C-9-09', async () => {
  let down = false
  const world = await World.open({
    through: (storage) =>
      new Proxy(storage, {
        get: (target, name) =>
          down && name === 'ping' ? () => Promise.reject(new Error('gone')) : Reflect.get(target, name),
      }),
  })
  down = true
  expect(outcome(await world.nobody('GET /readyz'))).toEqual([503, 'UNAVAILABLE'])
  expect((await world.nobody('GET /livez')).status).toBe(200)
})

rule('C-9-10', async () => {
  const metrics = { render: async () => 'up 1\n', contentType: 'text/plain; version=0.0.4', token: 'secret' }
  const world = await World.open({ app: { metrics, referenceScript: async () => '// script' } })
  expect(outcome(await world.nobody('GET /metrics'))).toEqual([401, 'MISSING_CREDENTIALS'])
  const page = await world.as({ authorization: 'Bearer secret' })('GET /metrics')
  expect([page.status, page.text]).toEqual([200, 'up 1\n'])
  expect((await world.nobody('GET /reference')).status).toBe(200)
})
