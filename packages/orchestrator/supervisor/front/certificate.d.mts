/** Certificate and key of a machine, which are read again when their files change. */
export declare class FollowedCertificate {
  constructor(files: { readonly certFile: string; readonly keyFile: string })
  readonly options: { readonly cert: Buffer; readonly key: Buffer }
  look(complain: (message: string) => void): { readonly cert: Buffer; readonly key: Buffer } | undefined
}
