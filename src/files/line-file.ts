import { type FileHandle, open, rename, rm } from 'node:fs/promises'

const flushCharacters = 65_536

/** A file that is written under a temporary name and renamed when it is complete. */
export class LineFile {
  private handle: FileHandle | undefined
  private pending = ''
  readonly path: string
  private readonly begin: string

  constructor(path: string, begin = '') {
    this.path = path
    this.begin = begin
  }

  async add(text: string): Promise<void> {
    if (!this.handle) {
      this.handle = await open(this.partial, 'w', 0o600)
      this.pending = this.begin
    }
    this.pending += text
    if (this.pending.length >= flushCharacters) await this.flush()
  }

  /** The path of the file; undefined if nothing was added, so that there is no file. */
  async finish(): Promise<string | undefined> {
    if (!this.handle) return undefined
    await this.flush()
    await this.handle.close()
    await rename(this.partial, this.path)
    return this.path
  }

  async discard(): Promise<void> {
    await this.handle?.close().catch(() => undefined)
    if (this.handle) await rm(this.partial, { force: true })
  }

  private async flush(): Promise<void> {
    await this.handle!.appendFile(this.pending)
    this.pending = ''
  }

  private get partial(): string {
    return `${this.path}.part`
  }
}
