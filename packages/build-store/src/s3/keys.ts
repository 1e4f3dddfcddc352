/** Keys of objects in the bucket. */
export class Keys {
  /**
   * Throws TypeError for a prefix with `.` or `..`, which would lead out of the bucket when the bucket is in the path.
   */
  constructor(private readonly prefix: string) {
    if (prefix.split('/').some((part) => part === '.' || part === '..'))
      throw new TypeError(`prefix: a key cannot begin with ${JSON.stringify(prefix)}`)
  }

  /** Prefix of the keys of uploads by URL. */
  get uploads(): string {
    return `${this.prefix}uploads/`
  }

  upload(buildId: string): string {
    return `${this.uploads}${buildId}`
  }

  /** Prefix of all archives of one build; a build has one archive in the end. */
  archives(buildId: string): string {
    return `${this.prefix}builds/${buildId}/`
  }

  /** Key of an archive. The key contains the SHA-256, so the content at a key never changes. */
  archive(buildId: string, sha256: string): string {
    return `${this.archives(buildId)}${sha256}.zip`
  }

  contentOf(key: string): string | undefined {
    return /\/([0-9a-f]{64})\.zip$/.exec(key)?.[1]
  }
}
