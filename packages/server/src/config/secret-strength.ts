/** Minimum number of characters of the secret that signs sessions and upload URLs. */
export const MIN_SECRET_LENGTH = 32
/** Minimum number of characters of a token that gives access only to `/metrics` and `/top`. */
export const MIN_TOKEN_LENGTH = 16

/**
 * Minimum number of different characters in a secret. A random secret from an alphabet of 16 or more characters has
 * fewer only once in 10^8.
 */
const MIN_DISTINCT = 8
/**
 * Maximum share of adjacent pairs of characters that are in sequence (`ab`, `21`) or equal (`aa`). In random text this
 * share is about 0.2.
 */
const MAX_SEQUENTIAL = 0.6

/**
 * Placeholders of example files. Letter case and punctuation are ignored in the comparison. Each placeholder is so long
 * that a random secret does not contain it by chance.
 */
const PLACEHOLDERS = [
  'changeme', 'changethis', 'replaceme', 'replacethis', 'placeholder', 'yoursecret', 'mysecret', 'supersecret',
  'secretkey', 'secretsecret', 'topsecret', 'notasecret', 'thisisasecret', 'jwtsecret', 'appsecret', 'devsecret',
  'testsecret', 'password', 'passw0rd', 'example', 'insecure', 'donotuse', 'development', 'matchyard', 'qwerty', 'asdfgh',
  'letmein', 'iloveyou', '12345678', 'abcdef123', 'deadbeef', 'cafebabe', 'loremipsum', 'correcthorse', 'keyboardcat',
] // biome-ignore format: a list of words

/**
 * Returns the reason why a secret is too easy to guess, as the end of a sentence, without the secret itself; undefined
 * for a good secret.
 */
export function secretFault(secret: string, minLength = MIN_SECRET_LENGTH): string | undefined {
  if (secret.length < minLength) return `has ${secret.length} characters; it needs at least ${minLength}`
  const plain = secret.toLowerCase().replace(/[^a-z0-9]/g, '')
  const word = PLACEHOLDERS.find((placeholder) => plain.includes(placeholder))
  if (word !== undefined) return `contains "${word}", which is a well-known placeholder`
  if (isRepeated(secret)) return 'repeats itself'
  if (new Set(secret).size < Math.min(MIN_DISTINCT, minLength / 2)) return 'is made of too few different characters'
  if (sequentialShare(secret) > MAX_SEQUENTIAL) return 'is a sequence of neighbouring characters'
  return undefined
}

/** Whether the text repeats one shorter text; the last repetition may be incomplete. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.slice(period) === text.slice(0, -period)) return true
  }
  return false
}

function sequentialShare(text: string): number {
  const codes = [...text].map((char) => char.codePointAt(0) ?? 0)
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1)
  return steps.length / Math.max(1, codes.length - 1)
}
