/** The part of package-lock.json that matters here. */
interface Lock {
  name: string
  version: string
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  name?: string
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  optional?: boolean
  link?: boolean
}

/** The installed packages of the service in CycloneDX format, derived from the lock file alone. */
export function billOfMaterials({ name, version, packages }: Lock): object {
  const installed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  )
  const components = installed.map(([path, locked]) => componentOf(path, locked))
  const byAddress = new Map(components.map((component) => [component.purl, component]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: [...byAddress.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
}

function componentOf(path: string, { name, version, integrity, license, optional }: LockedPackage) {
  const full = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return {
    type: 'library',
    name: full,
    version: version!,
    purl: `pkg:npm/${full.replace('@', '%40')}@${version}`,
    scope: optional ? 'optional' : 'required',
    ...(license && { licenses: [{ expression: license }] }),
    ...(integrity && { hashes: hashesOf(integrity) }),
  }
}

function hashesOf(integrity: string): object[] {
  const [algorithm, digest] = integrity.split('-') as [string, string]
  const alg = algorithm.toUpperCase().replace('SHA', 'SHA-')
  return [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }]
}
