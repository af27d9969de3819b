/** The parts of Node that recordings need. They are looked up while the program runs, so that a bundle for browsers does not contain them. */

export interface NodeModules {
  readonly fs: FileSystem
  readonly path: { readonly join: (...parts: ReadonlyArray<string>) => string }
}

export interface FileSystem {
  readonly constants: Readonly<Record<string, number | undefined>>
  readonly mkdir: (path: string, options: { readonly mode: number }) => Promise<unknown>
  readonly open: (path: string, flags: number, mode?: number) => Promise<FileHandle>
  readonly opendir: (path: string) => Promise<AsyncIterable<{ readonly name: string }>>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly rm: (path: string, options?: { readonly force: true }) => Promise<void>
}

export interface FileHandle {
  readonly stat: () => Promise<{ readonly size: number; readonly isFile: () => boolean }>
  readonly readFile: () => Promise<Uint8Array>
  readonly writeFile: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}

interface Process {
  readonly getBuiltinModule?: ((id: string) => unknown) | undefined
}

/** `undefined` outside Node, and on a Node that is older than 20.16. */
export const nodeModules = (): NodeModules | undefined => {
  const { process } = globalThis as { readonly process?: Process | undefined }
  const [fs, path] = [process?.getBuiltinModule?.("node:fs/promises"), process?.getBuiltinModule?.("node:path")]
  if (fs === undefined || path === undefined) return undefined
  // Node's own modules: their shapes are documented, and the tests use all of what is declared above.
  return { fs, path } as NodeModules
}
