import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '@matchyard/client/admin'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { blockOf } from '../../src/client-proof/readme'

const SECRET = `whsec_${Buffer.from('thirty-two characters of secret!').toString('base64')}`

describe('a webhook that is verified', () => {
  const body = JSON.stringify({ id: 'msg_1', type: 'match.ended', created_at: '', project_id: 'prj_1', data: { é: 1 } })
  const at = new Date()
  const headers = (secret = SECRET, signed = body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, signed),
  })

  it('is the message, by headers in either form, from text and from bytes', async () => {
    const expected = JSON.parse(body) as unknown
    expect(await verifyWebhook(body, headers(), SECRET)).toEqual(expected)
    expect(await verifyWebhook(Buffer.from(body), new Headers(headers()), SECRET)).toEqual(expected)
  })

  it('is taken by either secret while one takes the place of the other', async () => {
    const other = `whsec_${Buffer.from('another secret, as long as it is').toString('base64')}`
    const both = {
      ...headers(),
      'webhook-signature': `${headers(other)['webhook-signature']} ${headers()['webhook-signature']}`,
    }
    await expect(verifyWebhook(body, both, SECRET)).resolves.toBeDefined()
  })

  it('is refused when it was changed, is old, is of another secret, or says nothing of itself', async () => {
    await expect(verifyWebhook(`${body} `, headers(), SECRET)).rejects.toThrow('signature')
    await expect(verifyWebhook(body, headers(), SECRET, at.getTime() + 301_000)).rejects.toThrow('five minutes')
    await expect(verifyWebhook(body, headers(), `whsec_${btoa('no')}`)).rejects.toThrow('signature')
    await expect(verifyWebhook(body, {}, SECRET)).rejects.toThrow('webhook-id is missing')
    const nonsense = { ...headers(), 'webhook-signature': 'v1,*** v2,abc' }
    await expect(verifyWebhook(body, nonsense, SECRET)).rejects.toThrow('signature')
  })
})

describe('the README of the client', () => {
  it('leads from nothing to an endpoint in twelve lines at the most', () => {
    const readme = readFileSync(fileURLToPath(new URL('../../../client/README.md', import.meta.url)), 'utf8')
    const lines = blockOf(readme, 'js').trim().split('\n')
    expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(12)
  })
})
