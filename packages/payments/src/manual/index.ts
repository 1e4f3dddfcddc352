export { manualPayments, TEST_CARD_TOKEN } from './manual-payments'
