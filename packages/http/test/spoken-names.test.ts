import { ServiceError } from '@matchyard/core'
import { SPOKEN_CALLS, SPOKEN_FIELDS } from '@matchyard/core/domain'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/routes/index'
import { wireWords } from '../src/wire/issue-path'
import { wireSentence } from '../src/wire/spoken-names'

describe('a sentence of core, read over HTTP', () => {
  it.each(SPOKEN_CALLS)('names the route of %s', (call) => {
    const routes = ENDPOINTS.filter(({ operation }) => operation === call).map(
      ({ method, path }) => `${method.toUpperCase()} ${path}`,
    )
    expect(routes).toEqual([wireSentence(`\`${call}\``)])
  })

  it('names each field as JSON has it', () => {
    const names = SPOKEN_FIELDS.map((path) => wireSentence(`\`${path}\``))
    expect(names.filter((name) => !/^[a-z_]+(\.[a-z_]+)*$/.test(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['match_ttl', 'partial_after', 'server_settings.version_tag']))
  })

  it('keeps the words of the game', () => {
    expect(wireSentence('`skillLevel` rejects 90 % of the pairs')).toBe('`skillLevel` rejects 90 % of the pairs')
  })

  it('is translated in the detail and the issues of an error', () => {
    const message = 'set `generateSecret`: true'
    const names = { fields: new Map([['jwksUrl', { wire: 'jwks_url', inner: undefined }]]) }
    const error = new ServiceError('VALIDATION_FAILED', `jwksUrl ${message}`, {
      issues: [{ path: 'jwksUrl', message }],
    })
    expect(wireWords(error, names)).toEqual({
      detail: 'jwks_url: set generate_secret: true',
      details: { issues: [{ path: 'jwks_url', message: 'set generate_secret: true' }] },
    })
    expect(wireWords(new ServiceError('QUEUE_NOT_FOUND', 'see `queues.list`'), undefined).detail).toBe(
      'see GET /v1/queues',
    )
  })
})
