import { describe, expect, test } from 'vitest'
import { DemoKeys } from '../src/dev/demo-keys'
import { startInProcess } from './harness/in-process'

test('the reference page and its script come from the service alone, and the browser is told to hold it to that', async () => {
  const { call } = await startInProcess()
  const page = await call('GET /reference')
  expect(page.status).toBe(200)
  expect(page.text).not.toMatch(/https?:\/\//)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
  // A page without demo keys must not contain any key.
  expect(page.text).not.toMatch(/[cs]k_live_/)
  const script = await call('GET /reference?asset=standalone.js')
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(script.text).toMatch(/^\/\*! @scalar\/api-reference, .* MIT License/)
})

describe('the demo keys', () => {
  const keys = (host: string) => {
    const made = new DemoKeys(host)
    made.set({ client_key: 'ck', server_key: 'sk' } as never)
    return made
  }

  test('are for pages that this machine shows to itself', () => {
    for (const origin of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
      expect(keys('127.0.0.1').for(origin)).toEqual({ client: 'ck', server: 'sk' })
    }
  })

  test('are for nobody else: another name of this address, another listener, no origin', () => {
    expect(keys('127.0.0.1').for('http://rebound.example:8080')).toEqual({})
    expect(keys('127.0.0.1').for('http://localhost.rebound.example')).toEqual({})
    expect(keys('0.0.0.0').for('http://localhost:8080')).toEqual({})
    expect(keys('127.0.0.1').for('nonsense')).toEqual({})
  })
})
