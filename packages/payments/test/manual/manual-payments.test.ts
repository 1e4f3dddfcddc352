import { expect, test } from 'vitest'
import { manualPayments, TEST_CARD_TOKEN } from '../../src/manual/index'

const attach = (token: string, customerId: string | null = null) =>
  manualPayments().attach({ accountId: 'acc_1', email: 'ann@example.com', customerId, token })

test('the test card is put on file, and again is the same customer', async () => {
  const first = await attach(TEST_CARD_TOKEN)
  expect(first).toEqual({
    ok: true,
    customerId: 'manual_acc_1',
    paymentMethod: { type: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099 },
  })
  expect(await attach(TEST_CARD_TOKEN)).toEqual(first)
})

test('a customer that exists is kept', async () => {
  expect(await attach(TEST_CARD_TOKEN, 'cus_7')).toMatchObject({ ok: true, customerId: 'cus_7' })
})

test.each(['', 'pm_test_visa ', 'PM_TEST_VISA', 'pm_test_mastercard', '4242424242424242'])(
  'every other token is declined: %j',
  async (token) => {
    expect((await attach(token)).ok).toBe(false)
  },
)

test('a declined token is not repeated, for it may be a card number', async () => {
  expect(JSON.stringify(await attach('4242424242424242'))).not.toContain('42424242')
})
