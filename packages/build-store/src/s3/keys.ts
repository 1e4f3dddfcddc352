/** Keys of the build store's objects in the bucket. */
export class Keys {
  /**
   * Throws TypeError for a prefix with `.` or `..`. Such a prefix would lead out of the bucket when the bucket's name
   * is part of the path.
   */
  constructor(private readonly prefix: string) {
    if (prefix.split('/').some((part) => part === '.' || part === '..'))
      throw new TypeError(`prefix: a key cannot begin with ${JSON.stringify(prefix)}`)
  }

  /** Prefix of the keys to which clients upload by URL. */
  get uploads(): string {
    return `${this.prefix}uploads/`
  }

  upload(buildId: string): string {
    return `${this.uploads}${buildId}`
  }

  /**
   * Prefix of the keys of all archives of one build. During an upload a build may have several archives, and afterwards
   * it has one.
   */
  archives(buildId: string): string {
    return `${this.prefix}builds/${buildId}/`
  }

  /** Key of an archive. The key contains the archive's SHA-256, so the content at a key never changes. */
  archive(buildId: string, sha256: string): string {
    return `${this.archives(buildId)}${sha256}.zip`
  }

  /** Prefix of the keys of the kept logs. */
  get logs(): string {
    return `${this.prefix}logs/`
  }

  contentOf(key: string): string | undefined {
    return /\/([0-9a-f]{64})\.zip$/.exec(key)?.[1]
  }
}
