import type { TestBucket } from '@matchyard/build-store/testing'

/** What signed requests and URLs of a store look like, whoever's key they are signed with. */
const SHAPES = {
  'a signed URL': /X-Amz-(Signature|Credential|Security-Token)=(?!\[hidden\])/i,
  'a signed request': /AWS4-HMAC-SHA256/,
}

/** What of a store's secrets stands in a text: by its name, so that whoever reads the failure does not read the secret. */
export function secretsIn(text: string, { credentials }: TestBucket, signedUrls: readonly string[]): string[] {
  const words = [
    ...Object.entries(credentials),
    ...signedUrls.map((url, n) => [`signature ${n}`, new URL(url).searchParams.get('X-Amz-Signature')] as const),
  ]
  for (const [name, word] of words) if (typeof word !== 'string' || word === '') throw new Error(`${name} is no secret`)
  const found = words.filter(([, word]) => text.includes(word as string)).map(([name]) => name)
  return [...found, ...Object.entries(SHAPES).flatMap(([name, shape]) => (shape.test(text) ? [name] : []))]
}
