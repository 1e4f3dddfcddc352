import type { TestBucket } from '@matchyard/build-store/testing'

/** Patterns of signed requests and signed URLs of an S3 store, for any key. */
const SHAPES = {
  'a signed URL': /X-Amz-(Signature|Credential|Security-Token)=(?!\[hidden\])/i,
  'a signed request': /AWS4-HMAC-SHA256/,
}

/**
 * Returns the names of an S3 store's secrets that occur in a text. The result contains names only, because a failed
 * test must not print the secret itself.
 */
export function secretsIn(text: string, { credentials }: TestBucket, signedUrls: readonly string[]): string[] {
  const words = [
    ...Object.entries(credentials),
    ...signedUrls.map((url, n) => [`signature ${n}`, new URL(url).searchParams.get('X-Amz-Signature')] as const),
  ]
  for (const [name, word] of words) if (typeof word !== 'string' || word === '') throw new Error(`${name} is no secret`)
  const found = words.filter(([, word]) => text.includes(word as string)).map(([name]) => name)
  return [...found, ...Object.entries(SHAPES).flatMap(([name, shape]) => (shape.test(text) ? [name] : []))]
}
