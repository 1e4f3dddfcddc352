import { expect, test } from 'vitest'
import { redactFields, redactText } from '../src/service/redact'

const KEY = 'sk_live_Rcg9IiS5Oj8ANGn87LeDN0sBTpne4y4LRp2I'
const JWT = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhY2NfMSJ9.c2lnbmF0dXJlLW9mLWl0'

test('secrets are told by their shape, wherever a sentence holds them', () => {
  expect(redactText(`bad key ${KEY}!`)).toBe('bad key sk_live_[hidden]!')
  expect(redactText(`token ${JWT} expired`)).toBe('token [hidden] expired')
  expect(redactText(`bad token ${KEY.replace('sk', 'mt')}`)).toBe('bad token mt_live_[hidden]')
  expect(redactText('srvt_srv_01M7_2_c2lnbmF0dXJl is stale')).toBe('srvt_[hidden] is stale')
  expect(redactText('PUT /v1/uploads/bld_1?expires=9&signature=abc-_1')).toBe(
    'PUT /v1/uploads/bld_1?expires=9&signature=[hidden]',
  )
  expect(redactText('postgres://me:hunter2@db/x refused')).toBe('postgres://me:[hidden]@db/x refused')
  expect(redactText('postgres://me:hun@ter#/ 2@db/x refused')).toBe('postgres://me:[hidden]@db/x refused')
  expect(redactText('"postgres://me:***@db/x" is wrong; @ is %40')).toBe(
    '"postgres://me:[hidden]@db/x" is wrong; @ is %40',
  )
  expect(redactText('Authorization: Bearer abc.def')).toBe('Authorization: Bearer [hidden]')
})

test('fields with a secret name are hidden at any depth, and nothing else is', () => {
  const fields = {
    request_id: 'req_1',
    password: 'p',
    nested: { list: [{ Authorization: 'a', status: 200 }], upload_url: 'u' },
    error: `boom ${KEY}`,
    at: null,
  }
  expect(redactFields(fields)).toEqual({
    request_id: 'req_1',
    password: '[hidden]',
    nested: { list: [{ Authorization: '[hidden]', status: 200 }], upload_url: '[hidden]' },
    error: 'boom sk_live_[hidden]',
    at: null,
  })
})
