import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEGABYTE = Buffer.alloc(1024 ** 2)

/** A small file system in memory (tmpfs) that is mounted over a folder. Only root can mount it. */
export class SmallDisk {
  private readonly ballast: string

  private constructor(private readonly folder: string) {
    this.ballast = join(folder, '.ballast')
  }

  /** Mounts the file system over a folder. Returns undefined when this is not possible. */
  static mount(folder: string, megabytes: number): SmallDisk | undefined {
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'none', folder])
    return status === 0 ? new SmallDisk(folder) : undefined
  }

  /** Fills the file system completely. */
  fill(): void {
    for (const chunk of [MEGABYTE, MEGABYTE.subarray(0, 4096)]) {
      try {
        for (;;) writeFileSync(this.ballast, chunk, { flag: 'a' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  }

  empty(): void {
    rmSync(this.ballast, { force: true })
  }

  /** Unmounts the file system without waiting for the processes that use it (a lazy unmount). */
  unmount(): void {
    spawnSync('umount', ['-l', this.folder])
  }
}
