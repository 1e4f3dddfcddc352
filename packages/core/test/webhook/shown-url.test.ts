import { expect, it } from 'vitest'
import { shownUrl } from '../../src/webhook/shown-url'

it.each([
  ['https://hooks.slack.com/services/T0/B0/key', 'https://hooks.slack.com/…'],
  ['https://events.pagerduty.com/v2/enqueue?routing_key=key', 'https://events.pagerduty.com/…'],
  ['https://a.example?key=1', 'https://a.example/…'],
  ['https://a.example#key', 'https://a.example/…'],
  ['https://a.example\\services\\key', 'https://a.example/…'],
  ['https://key@a.example:8443/', 'https://a.example:8443/…'],
  ['https://ann:key@a.example', 'https://a.example/…'],
  ['https://a.example:8443/', 'https://a.example:8443/'],
  ['http://a.example', 'http://a.example'],
  ['https://a.example//user@b.example', 'https://a.example/…'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown)
})
