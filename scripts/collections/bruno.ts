import type { CollectedRequest, Folder } from './requests.ts'

const beforeRequest = `
const axios = require('axios')
const CryptoJS = require('crypto-js')
const stamp = String(Math.floor(Date.now() / 1000))
const appId = bru.getEnvVar('app_id')
const signature = CryptoJS.SHA256(appId + stamp + bru.getEnvVar('secret')).toString()
bru.setVar('time_stamp', stamp)
bru.setVar('signature', signature)
if (Date.now() > Number(bru.getVar('token_ends') || 0) - 60000) {
  const url = bru.getEnvVar('base_url') + '/api/v5/authentication/token'
  const { data } = await axios.post(url, { app_id: appId, time_stamp: stamp, signature })
  bru.setVar('token', data.data.token)
  bru.setVar('token_ends', Date.parse(data.data.expire_time))
}`

const afterResponse = `
test('code', () => {
  const wanted = Number((/: (\\d{5})$/.exec(req.getName()) || [0, 0])[1])
  expect(res.body.code).to.equal(wanted)
})`

/** The collection as Bruno exports and imports it: one JSON file. */
export function brunoCollection(folders: Folder[]) {
  const variables = {
    base_url: 'http://localhost:8080',
    corp_id: 'lakeside',
    app_id: 'lakeside-sample',
    secret: '',
  }
  return {
    name: 'Matricula',
    version: '1',
    items: folders.map(({ name, requests }, index) => ({
      type: 'folder',
      name,
      seq: index + 1,
      items: requests.map(itemOf),
    })),
    environments: [
      {
        name: 'Local',
        variables: Object.entries(variables).map(([name, value]) => ({
          ...{ name, value, type: 'text', enabled: true, secret: name === 'secret' },
        })),
      },
    ],
    root: {
      request: {
        auth: { mode: 'bearer', bearer: { token: '{{token}}' } },
        script: { req: beforeRequest.trim() },
        tests: afterResponse.trim(),
      },
    },
    brunoConfig: { version: '1', name: 'Matricula', type: 'collection', ignore: [] },
  }
}

/** Keeps an id of the answer for later requests. */
function keeping(name: string): string {
  return `bru.setVar('${name}', res.body.data?.${name} ?? res.body.data?.list?.[0]?.${name} ?? '')`
}

function itemOf(request: CollectedRequest, index: number) {
  const { name, method, path, query, body, isPublic, withoutToken, description, keeps } = request
  const parameters = query.map(([key, value]) => `${key}=${value}`).join('&')
  return {
    type: 'http-request',
    // The name becomes a file name.
    name: name.replaceAll('/', ' or '),
    seq: index + 1,
    request: {
      url: `{{base_url}}${path}${parameters && `?${parameters}`}`,
      method,
      headers: [],
      params: query.map(([key, value]) => ({ name: key, value, type: 'query', enabled: true })),
      body: body ? { mode: 'json', json: JSON.stringify(body, null, 2) } : { mode: 'none' },
      auth: { mode: isPublic || withoutToken ? 'none' : 'inherit' },
      ...(keeps.length > 0 && { script: { res: keeps.map(keeping).join('\n') } }),
      ...(description && { docs: description }),
    },
  }
}
