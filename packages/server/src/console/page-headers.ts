const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'font-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const

/** With further origins that the page may call: builds may go to a store of their own. */
const policyWith = (origins: readonly string[]): string =>
  Object.entries({ ...POLICY, 'connect-src': [POLICY['connect-src'], ...origins].join(' ') })
    .map((directive) => directive.join(' '))
    .join('; ')

/**
 * Of every file of the console: nothing inline, nothing of anybody else's, in nobody's frame, and no address of it is told on. What a name
 * or a state that a player chose may hold, it is never code here.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': policyWith([]),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** The same for a page that sends builds to another origin. */
export const pageHeaders = (uploadOrigin: string | undefined): Readonly<Record<string, string>> =>
  uploadOrigin === undefined ? PAGE_HEADERS : { ...PAGE_HEADERS, 'content-security-policy': policyWith([uploadOrigin]) }
