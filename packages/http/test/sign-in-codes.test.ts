import { beforeEach, expect, it } from 'vitest'
import { startService } from './harness/service'
import { openStudio } from './harness/studio'

/** Calls of `use`, and the account that it returns. */
let asked: (readonly [code: string, call: string | undefined])[]
let owner: string | undefined

beforeEach(() => {
  asked = []
  owner = undefined
})

const withCodes = () =>
  startService({
    app: {
      signInCodes: {
        use(code, call) {
          asked.push([code, call])
          return code === 'good' ? owner : undefined
        },
      },
    },
  })

const by = (code: unknown, headers: Record<string, string> = {}) => ({ body: { code }, headers })

it('a code that is good is answered as a login is', async () => {
  const service = await withCodes()
  const studio = await openStudio(service)
  owner = studio.accountId
  const { status, body } = await service.call('POST /v1/auth/code', by('good'))
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['token', 'token_type', 'expires_at', 'account'])
  expect(body).toMatchObject({ token_type: 'Bearer', account: { id: studio.accountId } })
  const { body: account } = await service.call('GET /v1/account', { token: body.token })
  expect(account).toEqual(body.account)
  expect(Date.parse(body.expires_at) - service.clock.now()).toBe(7 * 24 * 3_600_000)
  expect(asked).toEqual([['good', undefined]])
})

it('any other is INVALID_LOGIN, thirty of one address are enough, and a good one is a way in whatever was tried before', async () => {
  const service = await withCodes()
  const studio = await openStudio(service)
  owner = studio.accountId
  const answers = []
  for (let n = 0; n < 31; n++) answers.push(await service.call('POST /v1/auth/code', by('bad')))
  const codes = answers.map(({ body }) => body.code)
  expect(codes).toEqual([...Array.from({ length: 30 }, () => 'INVALID_LOGIN'), 'RATE_LIMITED'])
  expect(answers.at(-1)?.headers.get('retry-after')).toBe('600')
  for (let n = 0; n < 6; n++) {
    const body = { email: 'ann@example.com', password: 'wrong' }
    await service.call('POST /v1/auth/login', { body })
  }
  expect((await service.call('POST /v1/auth/code', by('good'))).status).toBe(200)
})

it('a disabled account is signed in by no code', async () => {
  const service = await withCodes()
  const studio = await openStudio(service)
  owner = studio.accountId
  await service.matchyard.accounts.disable({ accountId: studio.accountId })
  expect((await service.call('POST /v1/auth/code', by('good'))).body.code).toBe('INVALID_LOGIN')
})

it('a call that is repeated under its idempotency key is one use, and one session', async () => {
  const service = await withCodes()
  const studio = await openStudio(service)
  owner = studio.accountId
  const call = () => service.call('POST /v1/auth/code', by('good', { 'idempotency-key': 'k' }))
  const [first, again] = [await call(), await call()]
  expect(again.body).toEqual(first.body)
  expect(new Set(asked.map(([, name]) => name)).size).toBe(1)
  expect(asked[0]?.[1]).toBeDefined()
  await service.call('POST /v1/auth/logout', { token: first.body.token })
  expect((await call()).body.code).toBe('INVALID_LOGIN')
})

it.each([{}, { code: '' }, { code: 'x'.repeat(129) }, { code: 7 }, { code: 'good', more: 1 }])(
  'refuses %j',
  async (body) => {
    const service = await withCodes()
    expect((await service.call('POST /v1/auth/code', { body })).body.code).toBe('VALIDATION_FAILED')
    expect(asked).toEqual([])
  },
)

it('where no codes are given out it is not there', async () => {
  const service = await startService()
  const { body } = await service.call('POST /v1/auth/code', by('good'))
  expect(body).toMatchObject({ code: 'NOT_FOUND', status: 404 })
})
