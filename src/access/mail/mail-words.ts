import { amountIn, dayIn } from '../../files/written-amounts.ts'
import type { Role } from '../staff/roles.ts'

export const mailLanguages = ['en', 'zh'] as const
export type MailLanguage = (typeof mailLanguages)[number]

/** The texts of each kind of mail. Days are local days of the school. */
export interface MailContents {
  invitation: { school: string; name: string; role: Role; link: string; until: string }
  reset: { school: string; name: string; link: string; until: string }
  payment_request: {
    school: string
    price: number
    currency: string
    reference: string
    note: string
    link: string
    until: string
  }
  alert: { school: string; link: string } & Alert
}

type Alert =
  | { alert: 'webhook_disabled'; host: string; reason: 'failing' | 'gone' }
  | { alert: 'quota_used_up'; quota: string }

export type MailKind = keyof MailContents
export type MailContent = { [Kind in MailKind]: { kind: Kind } & MailContents[Kind] }[MailKind]

export interface Words {
  subject: string
  /** Paragraphs before the link, and after it. */
  before: string[]
  after: string[]
}

type WordsOf = { [Kind in MailKind]: (content: MailContents[Kind]) => Words }

const roleNames: Record<MailLanguage, Record<Role, string>> = {
  en: { counsellor: 'counsellor', finance: 'finance', admin: 'administrator', viewer: 'viewer' },
  zh: { counsellor: '顾问', finance: '财务', admin: '管理员', viewer: '只读' },
}

const quotaNames: Record<MailLanguage, Record<string, string>> = {
  en: {
    calls_per_day: 'calls of programs per day',
    rows: 'records',
    bytes: 'storage',
    imports_per_day: 'imports per day',
  },
  zh: {
    calls_per_day: '每日程序调用次数',
    rows: '记录数',
    bytes: '存储空间',
    imports_per_day: '每日导入次数',
  },
}

const english: WordsOf = {
  invitation: ({ school, name, role, until }) => ({
    subject: `Invitation to ${school}`,
    before: [
      `Hello ${name},`,
      `${school} invites you to Matricula (role: ${roleNames.en[role]}). Choose your password here:`,
    ],
    after: [
      `The link works once, until ${dayIn('en', until)}.`,
      'If you do not expect this invitation, ignore this mail.',
    ],
  }),
  reset: ({ school, name, until }) => ({
    subject: `New password for ${school}`,
    before: [
      `Hello ${name},`,
      `An administrator of ${school} made a link for your new password. It ends every session and passkey of your account:`,
    ],
    after: [
      `The link works once, until ${dayIn('en', until)}.`,
      'If you did not ask for it, tell an administrator. Your old password works until the link is used.',
    ],
  }),
  payment_request: ({ school, price, currency, reference, note, until }) => ({
    subject: `Payment request from ${school}`,
    before: [
      'Hello,',
      `${school} asks you to pay ${amountIn('en', price, currency)}. Reference: ${reference}.`,
      ...(note === '' ? [] : [note]),
      'Amount, bank account and ways to pay:',
    ],
    after: [`The page can be opened until ${dayIn('en', until)}.`],
  }),
  alert: (content) =>
    content.alert === 'webhook_disabled'
      ? {
          subject: `${content.school}: a webhook was disabled`,
          before: [
            content.reason === 'gone'
              ? `The receiver at ${content.host} answered that it is gone (410). Matricula sends it no more events.`
              : `The receiver at ${content.host} failed for five days. Matricula sends it no more events.`,
            'Repair the receiver, then enable the webhook and replay its deliveries:',
          ],
          after: ['You receive this mail as an administrator of the school.'],
        }
      : {
          subject: `${content.school}: a quota is used up`,
          before: [
            `The school has used up a quota of the service: ${quotaNames.en[content.quota] ?? content.quota}.`,
            'Usage and quotas:',
          ],
          after: [
            'The operator of the service can raise the quota.',
            'You receive this mail as an administrator of the school.',
          ],
        },
}

const chinese: WordsOf = {
  invitation: ({ school, name, role, until }) => ({
    subject: `${school}邀请您使用 Matricula`,
    before: [`${name}，您好：`, `${school}邀请您使用 Matricula（角色：${roleNames.zh[role]}）。请设置密码：`],
    after: [
      `链接只能使用一次，有效期至${dayIn('zh', until)}。`,
      '如果您不清楚这封邀请的来由，请忽略此邮件。',
    ],
  }),
  reset: ({ school, name, until }) => ({
    subject: `${school}：设置新密码`,
    before: [
      `${name}，您好：`,
      `${school}的管理员为您生成了设置新密码的链接。使用后，您的所有登录和通行密钥都将失效：`,
    ],
    after: [
      `链接只能使用一次，有效期至${dayIn('zh', until)}。`,
      '如果您没有提出申请，请告知管理员。链接使用之前，原密码仍然有效。',
    ],
  }),
  payment_request: ({ school, price, currency, reference, note, until }) => ({
    subject: `${school}付款通知`,
    before: [
      '您好：',
      `请向${school}支付 ${amountIn('zh', price, currency)}，付款附言：${reference}。`,
      ...(note === '' ? [] : [note]),
      '金额、收款账户与付款方式：',
    ],
    after: [`页面有效期至${dayIn('zh', until)}。`],
  }),
  alert: (content) =>
    content.alert === 'webhook_disabled'
      ? {
          subject: `${content.school}：Webhook 已停用`,
          before: [
            content.reason === 'gone'
              ? `接收方 ${content.host} 返回 410（已不存在），Matricula 不再向其发送事件。`
              : `接收方 ${content.host} 连续五天失败，Matricula 不再向其发送事件。`,
            '请修复接收方，然后重新启用 Webhook 并重发：',
          ],
          after: ['您是机构管理员，因此收到此邮件。'],
        }
      : {
          subject: `${content.school}：配额已用完`,
          before: [
            `机构的一项服务配额已用完：${quotaNames.zh[content.quota] ?? content.quota}。`,
            '用量与配额：',
          ],
          after: ['服务运营方可以提高配额。', '您是机构管理员，因此收到此邮件。'],
        },
}

export const mailWords: Record<MailLanguage, WordsOf> = { en: english, zh: chinese }
