import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../src/testing'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { CLIENT, startIssuer } from './harness/openid-issuer'
import { serveEnvironment, startServe } from './harness/services'

/** Starts a provider, and a service that signs people in by it alone. */
async function stage() {
  const cwd = temporaryFolder()
  const [port, issuerPort] = [await freePort(), await freePort()]
  const publicUrl = `http://127.0.0.1:${port}`
  const start = () => startIssuer(issuerPort, `${publicUrl}/auth/openid/callback`)
  const issuer = await start()
  onTestFinished(() => issuer.stop())
  const settings = {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    OPENID_ISSUER: issuer.url,
    OPENID_CLIENT_ID: CLIENT.id,
    OPENID_CLIENT_SECRET: CLIENT.secret,
    OPENID_DOMAINS: 'studio.example',
    PASSWORD_SIGN_IN: 'off',
  }
  const service = await startServe(cwd, settings)
  return { cwd, issuer, settings, service, begin: `${service.url}/auth/openid/start`, restart: start }
}

type Stage = Awaited<ReturnType<typeof stage>>

/** A browser that follows redirects and keeps cookies by host, until the service answers or leads to the console. */
class Browser {
  readonly cookies = new Map<string, Map<string, string>>()

  async go(url: string): Promise<{ readonly url: string; readonly status: number; readonly text: string }> {
    for (let at = url; ; ) {
      const { host } = new URL(at)
      const jar = this.cookies.get(host) ?? new Map<string, string>()
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
      for (const line of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name)
        else jar.set(name, value)
      }
      this.cookies.set(host, jar)
      const location = answer.headers.get('location')
      if (location === null) return { url: at, status: answer.status, text: await answer.text() }
      at = new URL(location, at).href
      if (at.includes('#code=')) return { url: at, status: answer.status, text: '' }
    }
  }
}

/** Signs in as a person, and returns the answer to the one-time code that the console gets. */
async function signIn({ issuer, service, begin }: Stage, email: string) {
  issuer.person = { email, email_verified: true, name: 'Eve' }
  const { url } = await new Browser().go(begin)
  const code = new URL(url).hash.replace('#code=', '')
  return service.call('POST /v1/auth/code', { body: { code } })
}

describe('the sign-in by an OpenID provider', () => {
  test('makes an account that owns nothing, and opens that of an operator', async () => {
    const on = await stage()
    const { service, cwd } = on
    const first = await signIn(on, 'Eve@Studio.example')
    expect([first.status, first.body.account.email, first.body.account.name]).toEqual([
      200,
      'eve@studio.example',
      'Eve',
    ])
    const again = await signIn(on, 'eve@studio.example')
    expect(again.body.account.id).toBe(first.body.account.id)
    const project = { token: again.body.token, body: { name: 'Mine' } }
    expect((await service.call('POST /v1/projects', project)).body).toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' })
    expect((await service.call('GET /v1/projects', { token: again.body.token })).body.data).toEqual([])

    const args = ['accounts', 'create', '--email', 'boss@studio.example', '--json']
    const { code } = await run(args, { cwd, env: serveEnvironment(cwd) })
    expect(code).toBe(0)
    const { body } = await signIn(on, 'boss@studio.example')
    expect((await service.call('GET /v1/projects', { token: body.token })).body.data).toHaveLength(1)

    const about = await service.call('GET /auth/openid')
    expect(about.body).toEqual({ name: '127.0.0.1', passwords: false })
    const login = { body: { email: 'boss@studio.example', password: 'whatever it is' } }
    const register = { body: { ...login.body, name: 'Boss' } }
    const join = { body: { ...register.body, token: `inv_live_${'x'.repeat(36)}` } }
    for (const [path, sent] of [
      ['POST /v1/auth/login', login],
      ['POST /v1/auth/register', register],
      ['POST /v1/auth/join', join],
    ] as const)
      expect([path, (await service.call(path, sent)).body]).toMatchObject([path, { code: 'CREDENTIAL_NOT_ALLOWED' }])
  })

  test('refuses addresses that are unverified or of another domain, without a code', async () => {
    const { issuer, begin } = await stage()
    for (const [person, says] of [
      [{ email: 'mallory@studio.example', email_verified: false }, /no verified e-mail address/],
      [{ email: 'mallory@studio.example.evil.test', email_verified: true }, /of your domain may not sign in/],
      [{ email: 'mallory@evil.test', email_verified: true, name: '<script>' }, /of your domain may not sign in/],
    ] as const) {
      issuer.person = person
      const { status, text, url } = await new Browser().go(begin)
      expect([status, url.includes('#code=')]).toEqual([403, false])
      expect(text).toMatch(says)
      expect(text).not.toContain('mallory')
    }
  })

  test('refuses a callback that this browser did not begin, or that was used', async () => {
    const { issuer, service, begin } = await stage()
    issuer.person = { email: 'eve@studio.example', email_verified: true }
    const [victim, attacker] = [new Browser(), new Browser()]
    const callback = `${service.url}/auth/openid/callback`
    const wrong = [callback, `${callback}?code=x`, `${callback}?state=x&code=y`, `${callback}?error=access_denied`]
    for (const url of wrong) expect([url, (await victim.go(url)).status]).toEqual([url, 400])
    // The attacker stops before the callback, and gives its address to the victim.
    const begun = await fetch(begin, { redirect: 'manual' })
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
    expect((await attacker.go(`${callback}?state=${state}&code=stolen`)).status).toBe(400)
    const host = new URL(service.url).host
    const own = (begun.headers.getSetCookie()[0] ?? '').split(';')[0]?.split(/=(.*)/s)[1] ?? ''
    victim.cookies.set(host, new Map([['matchyard_openid', own]]))
    const told = await victim.go(`${callback}?state=${state}&code=invented&iss=${encodeURIComponent(issuer.url)}`)
    expect([told.status, told.url.includes('#code=')]).toEqual([403, false])
    const forged = [...own].reverse().join('')
    victim.cookies.set(host, new Map([['matchyard_openid', forged]]))
    expect((await victim.go(`${callback}?state=${state}&code=x`)).status).toBe(400)

    // Scripts and other sites do not get the cookie.
    const { headers } = await fetch(begin, { redirect: 'manual' })
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^matchyard_openid=.*; HttpOnly; SameSite=Lax$/)])
    const location = new URL(headers.get('location') ?? '')
    expect(location.origin).toBe(issuer.url)
    expect(location.searchParams.get('code_challenge_method')).toBe('S256')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('says that the provider is away, and works once the provider is back', async () => {
    const on = await stage()
    const { issuer, settings } = on
    await issuer.stop()
    const other = await startServe(temporaryFolder(), { ...settings, PORT: '0' })
    const away = await new Browser().go(`${other.url}/auth/openid/start`)
    expect([away.status, /does not answer/.test(away.text)]).toEqual([503, true])
    const back = await on.restart()
    onTestFinished(() => back.stop())
    expect((await signIn({ ...on, issuer: back }, 'eve@studio.example')).status).toBe(200)
  })
})

test('serve names the variables that an OpenID provider lacks', async () => {
  const cwd = temporaryFolder()
  const env = serveEnvironment(cwd, { OPENID_ISSUER: 'https://accounts.example.com' })
  const { code, stderr } = await run(['serve'], { cwd, env })
  expect(code).not.toBe(0)
  for (const name of ['OPENID_CLIENT_ID', 'OPENID_CLIENT_SECRET', 'OPENID_DOMAINS', 'PUBLIC_URL'])
    expect(stderr).toContain(`${name}: it is not set`)
  const off = serveEnvironment(temporaryFolder(), { PASSWORD_SIGN_IN: 'off' })
  expect((await run(['serve'], { cwd, env: off })).stderr).toContain('PASSWORD_SIGN_IN: without an OpenID provider')
})
