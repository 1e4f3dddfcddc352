import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeClock } from '@matchyard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { emailDomains, issuerUrl } from '../src/config/openid'
import { Fault } from '../src/config/setting'
import { type Attempt, MAX_EXCHANGES, OpenIdProvider } from '../src/openid/provider'

/** Starts a provider that describes itself and never answers an exchange of a code. */
async function silentProvider() {
  let asked = 0
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/.well-known/') !== true) {
      asked++
      return
    }
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, close, asked: () => asked }
}

const config = (issuer: string) => ({ issuer, clientId: 'matchyard', clientSecret: 'secret', domains: ['a.example'] })
const REDIRECT = 'https://play.example/auth/openid/callback'

test('exchanges at most sixteen codes at a time, and refuses further ones at once', async () => {
  const { issuer, close, asked } = await silentProvider()
  const provider = new OpenIdProvider(config(issuer), REDIRECT, new FakeClock())
  const { attempt } = await provider.begin()
  const finish = (with_: Attempt = attempt) => provider.finish(`?state=${with_.state}&code=c`, attempt)
  // All begin in one instant, before any of them has reached the provider.
  const waiting = Array.from({ length: MAX_EXCHANGES }, () => finish().catch((error: unknown) => error))
  await expect(finish()).rejects.toMatchObject({ why: 'busy' })
  await expect.poll(asked).toBe(MAX_EXCHANGES)
  await expect(finish()).rejects.toMatchObject({ why: 'busy' })
  // A wrong state is refused without a call to the provider.
  await expect(finish({ ...attempt, state: 'other' })).rejects.toMatchObject({ why: 'stale' })
  expect(asked()).toBe(MAX_EXCHANGES)
  close()
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ why: 'away' })
})

test('looks at most every five seconds for a provider that is away', async () => {
  const clock = new FakeClock()
  const { issuer, close } = await silentProvider()
  close()
  const provider = new OpenIdProvider(config(issuer), REDIRECT, clock)
  const begin = () =>
    provider.begin().then(
      () => undefined,
      (error: { readonly why: string; readonly cause?: unknown }) => [error.why, error.cause !== undefined],
    )
  expect(await begin()).toEqual(['away', true])
  expect(await begin()).toEqual(['away', false])
  clock.advance(5_000)
  expect(await begin()).toEqual(['away', true])
})

test('reads issuers and domains', () => {
  expect(issuerUrl('https://accounts.example.com')).toBe('https://accounts.example.com')
  expect(issuerUrl('http://127.0.0.1:9000')).toBe('http://127.0.0.1:9000')
  for (const wrong of [
    'accounts.example.com',
    'http://accounts.example.com',
    'https://a:b@c.example',
    'https://c.example?x',
  ])
    expect(issuerUrl(wrong)).toBeInstanceOf(Fault)
  expect(emailDomains('Studio.example, b.example')).toEqual(['studio.example', 'b.example'])
  for (const wrong of ['', '*', 'studio', 'a.example,,b.example', '@a.example'])
    expect(emailDomains(wrong)).toBeInstanceOf(Fault)
})
