/** Where things lie in the bucket. */
export class Keys {
  /** Throws TypeError for a prefix that would lead out of the bucket, where the bucket stands in the path. */
  constructor(private readonly prefix: string) {
    if (prefix.split('/').some((part) => part === '.' || part === '..'))
      throw new TypeError(`prefix: a key cannot begin with ${JSON.stringify(prefix)}`)
  }

  /** What URLs lead to. */
  get uploads(): string {
    return `${this.prefix}uploads/`
  }

  upload(buildId: string): string {
    return `${this.uploads}${buildId}`
  }

  /** Everything of one build: one archive, in the end. */
  archives(buildId: string): string {
    return `${this.prefix}builds/${buildId}/`
  }

  /** By its content, so that it is never another one. */
  archive(buildId: string, sha256: string): string {
    return `${this.archives(buildId)}${sha256}.zip`
  }

  contentOf(key: string): string | undefined {
    return /\/([0-9a-f]{64})\.zip$/.exec(key)?.[1]
  }
}
