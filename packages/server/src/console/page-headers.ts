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

/**
 * Returns the content security policy of the console. `origins` are other origins that the page may call, because
 * builds may be uploaded directly to a bucket.
 */
const policyWith = (origins: readonly string[]): string =>
  Object.entries({ ...POLICY, 'connect-src': [POLICY['connect-src'], ...origins].join(' ') })
    .map((directive) => directive.join(' '))
    .join('; ')

/**
 * Headers of every file of the console. They forbid inline code, content from other origins, frames and referrers, so
 * that the browser never runs text from players (a name, a state) as code.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': policyWith([]),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Returns the headers of a page that may upload builds to another origin. */
export const pageHeaders = (uploadOrigin: string | undefined): Readonly<Record<string, string>> =>
  uploadOrigin === undefined ? PAGE_HEADERS : { ...PAGE_HEADERS, 'content-security-policy': policyWith([uploadOrigin]) }
