import { book, gbk, type SourceFile, separated, utf16, withMark } from './source-file.ts'

const facebookHeaders = [
  ...['id', 'created_time', 'ad_id', 'ad_name', 'adset_id', 'adset_name', 'campaign_id', 'campaign_name'],
  ...['form_id', 'form_name', 'is_organic', 'platform', 'when_do_you_want_to_start?'],
  ...['full_name', 'phone_number', 'email', 'city', 'lead_status'],
]
const facebookRows = [
  [
    ...['l:1801', '2026-05-01T09:30:00+08:00', 'ag:11', 'Ad A', 'as:12', 'Managers', 'c:13', 'Autumn 2026'],
    ...['f:14', 'Open day', 'false', 'ig', 'next_spring', 'Mei Lin', 'p:+8613800138001'],
    ...['mei@example.com', 'Shanghai', 'CREATED'],
  ],
  [
    ...['l:1802', '2026-05-01T02:30:00-05:00', 'ag:11', 'Ad A', 'as:12', 'Managers', 'c:13', 'Autumn 2026'],
    ...['f:14', 'Open day', 'true', 'fb', 'this_year', 'Jean Dupont', 'p:+33612345678'],
    ...['jean@example.com', 'Paris', 'CREATED'],
  ],
]
const facebookLeads = [
  {
    ...{ name: 'Mei Lin', mobile: '86 13800138001', email: 'mei@example.com', time: '2026-05-01 09:30:00' },
    lead: {
      ...{ entry_id: 'l:1801', campaign: 'Autumn 2026', utm_source: 'ig', utm_medium: 'Managers' },
      ...{ utm_term: 'Ad A', page_id: 'Open day', city: 'Shanghai' },
      ...{ form1_name: 'when_do_you_want_to_start?', form1_value: 'next_spring' },
    },
  },
  {
    ...{
      name: 'Jean Dupont',
      mobile: '33 612345678',
      email: 'jean@example.com',
      time: '2026-05-01 15:30:00',
    },
    lead: {
      ...{ entry_id: 'l:1802', campaign: 'Autumn 2026', utm_source: 'fb', utm_medium: 'Managers' },
      ...{ utm_term: 'Ad A', page_id: 'Open day', city: 'Paris' },
      ...{ form1_name: 'when_do_you_want_to_start?', form1_value: 'this_year' },
    },
  },
]

export const advertising: SourceFile[] = [
  {
    source: 'Facebook lead ads, download',
    facts: 'UTF-16 with mark, tabs, named .csv; `p:` before numbers; times with offset',
    name: 'leads.csv',
    content: utf16(separated([facebookHeaders, ...facebookRows], '\t', '\n')),
    leads: facebookLeads,
  },
  {
    source: 'Facebook lead ads, workbook',
    facts: 'XLSX with the same columns; ids with a letter before them',
    name: 'leads.xlsx',
    content: book([facebookHeaders, ...facebookRows]),
    leads: facebookLeads,
  },
  {
    source: 'Facebook lead ads, without ad columns',
    facts: 'Downloaded by somebody who may not see the ads: these cells are empty',
    name: 'leads.csv',
    content: separated([
      facebookHeaders,
      facebookRows[0]!.map((cell, at) => (at >= 2 && at <= 7 ? '' : cell)),
    ]),
    leads: [
      {
        ...{
          name: 'Mei Lin',
          mobile: '86 13800138001',
          email: 'mei@example.com',
          time: '2026-05-01 09:30:00',
        },
        lead: {
          ...{ entry_id: 'l:1801', utm_source: 'ig', page_id: 'Open day', city: 'Shanghai' },
          ...{ form1_name: 'when_do_you_want_to_start?', form1_value: 'next_spring' },
        },
      },
    ],
  },
  {
    source: '巨量引擎 飞鱼 (Douyin), workbook',
    facts: 'XLSX; long ids as text; the time with seconds; WeChat in its own column',
    name: '线索列表.xlsx',
    content: book([
      [
        '线索ID',
        '创建时间',
        '广告主ID',
        '广告主名称',
        '广告计划ID',
        '广告计划名称',
        '广告组名称',
        '流量来源',
        '姓名',
        '电话号码',
        '微信号',
        '号码归属地',
        '跟进状态',
        '备注',
      ],
      [
        '7301122334455667788',
        '2026-05-01 09:30:11',
        '170001',
        '湖畔',
        '180002',
        '计划A',
        '在职人群',
        '抖音',
        '陈晓明',
        '13800138002',
        'xm_chen',
        '上海',
        '新线索',
        '想了解学费',
      ],
    ]),
    leads: [
      {
        ...{ name: '陈晓明', mobile: '86 13800138002', wechat: 'xm_chen', time: '2026-05-01 09:30:11' },
        note: '想了解学费',
        lead: {
          ...{ entry_id: '7301122334455667788', campaign: '计划A', utm_medium: '在职人群' },
          ...{ utm_source: '抖音', city: '上海' },
        },
      },
    ],
  },
  {
    source: '巨量引擎 (Douyin), CSV',
    facts: 'GBK; a tab before long numbers, so that Excel keeps them',
    name: '线索.csv',
    content: gbk(
      separated([
        ['线索ID', '线索创建时间', '广告主名称', '推广计划名称', '落地页名称', '姓名', '手机号', '微信'],
        [
          '\t7301122334455667789',
          '2026/5/1 9:30',
          '湖畔',
          '计划B',
          '开放日',
          '周建国',
          '\t13800138003',
          'jg_zhou',
        ],
      ]),
    ),
    leads: [
      {
        ...{ name: '周建国', mobile: '86 13800138003', wechat: 'jg_zhou', time: '2026-05-01 09:30:00' },
        lead: { entry_id: '7301122334455667789', campaign: '计划B', page_id: '开放日' },
      },
    ],
  },
  {
    source: '小红书 聚光 (Xiaohongshu)',
    facts: 'XLSX; 留资时间; people often leave a WeChat id beside a number',
    name: '留资明细.xlsx',
    content: book([
      [
        '留资时间',
        '线索ID',
        '账户名称',
        '计划名称',
        '单元名称',
        '创意名称',
        '笔记标题',
        '笔记ID',
        '小红书昵称',
        '姓名',
        '手机号',
        '微信号',
        '城市',
        '留言',
      ],
      [
        '2026-05-01 21:03:44',
        'xhs-1',
        '湖畔',
        '秋季',
        '一线城市',
        '创意1',
        '考研还是在职？',
        '66aa',
        '小鱼',
        '林芳',
        '13800138004',
        'fang_lin',
        '杭州',
        '晚上联系',
      ],
    ]),
    leads: [
      {
        ...{ name: '林芳', mobile: '86 13800138004', wechat: 'fang_lin', time: '2026-05-01 21:03:44' },
        note: '晚上联系',
        lead: {
          ...{ entry_id: 'xhs-1', campaign: '秋季', utm_medium: '一线城市', utm_term: '创意1' },
          ...{ page_id: '66aa', city: '杭州' },
        },
      },
    ],
  },
  {
    source: '小红书 私信 (Xiaohongshu messages)',
    facts: 'Some people leave a WeChat id only: such a row cannot say who it is',
    name: '私信线索.xlsx',
    content: book([
      ['线索时间', '用户昵称', '小红书号', '手机号', '微信号'],
      ['2026-05-01 21:03:44', '小鱼', '5550001', '13800138005', ''],
      ['2026-05-01 21:04:44', '阿亮', '5550002', '', 'liang_1990'],
    ]),
    leads: [{ mobile: '86 13800138005', time: '2026-05-01 21:03:44' }],
    rejects: { 3: 'column 手机号: is empty' },
  },
  {
    source: '腾讯广告 (Tencent Ads)',
    facts: 'XLSX; 线索提交时间; the ad group in its own column',
    name: '腾讯线索.xlsx',
    content: book([
      ['线索ID', '线索提交时间', '推广计划名称', '广告名称', '创意名称', '姓名', '电话', '所在城市'],
      ['t-1', '2026-05-01 10:00:00', '计划C', '广告1', '创意9', '王小明', '138 0013 8006', '北京'],
    ]),
    leads: [
      {
        ...{ name: '王小明', mobile: '86 13800138006', time: '2026-05-01 10:00:00' },
        lead: {
          ...{ entry_id: 't-1', campaign: '计划C', utm_medium: '广告1', utm_term: '创意9', city: '北京' },
        },
      },
    ],
  },
  {
    source: '百度营销 基木鱼 (Baidu)',
    facts: 'GBK CSV; bd_vid in the address; 搜索词 and 关键词',
    name: '基木鱼线索.csv',
    content: gbk(
      separated([
        ['线索ID', '提交时间', '推广计划名称', '关键词', '搜索词', 'bd_vid', '姓名', '手机', '留言'],
        [
          'b-1',
          '2026-05-01 10:00:00',
          '品牌',
          '在职研究生',
          '在职研究生 学费',
          '98765',
          '李娜',
          '13800138007',
          '学费多少，可以分期吗',
        ],
      ]),
    ),
    leads: [
      {
        ...{
          name: '李娜',
          mobile: '86 13800138007',
          time: '2026-05-01 10:00:00',
          note: '学费多少，可以分期吗',
        },
        lead: {
          ...{ entry_id: 'b-1', campaign: '品牌', utm_keyword: '在职研究生' },
          ...{ utm_term: '在职研究生 学费', bd_vid: '98765' },
        },
      },
    ],
  },
  {
    source: 'Google Ads lead form',
    facts: 'CSV; names of columns in capitals; numbers with plus',
    name: 'lead_form.csv',
    content: separated([
      [
        'lead_id',
        'campaign_id',
        'adgroup_id',
        'creative_id',
        'gcl_id',
        'form_id',
        'lead_submit_time',
        'FULL_NAME',
        'EMAIL',
        'PHONE_NUMBER',
        'CITY',
      ],
      [
        'TeSt-9',
        111,
        222,
        333,
        'Cj0',
        444,
        '2026-05-01T01:30:00Z',
        'Anna Schmidt',
        'anna@example.com',
        '+4915123456789',
        'Berlin',
      ],
    ]),
    leads: [
      {
        ...{
          name: 'Anna Schmidt',
          mobile: '49 15123456789',
          email: 'anna@example.com',
          time: '2026-05-01 09:30:00',
        },
        lead: { entry_id: 'TeSt-9', city: 'Berlin' },
      },
    ],
  },
  {
    source: 'LinkedIn lead gen form',
    facts: 'CSV; no phone, an e-mail address alone; company and job title',
    name: 'lead_gen_form.csv',
    content: separated([
      [
        'Lead ID',
        'Timestamp',
        'Campaign Name',
        'Form Name',
        'Lead Type',
        'First Name',
        'Last Name',
        'Email Address',
        'Company Name',
        'Job Title',
      ],
      [
        'li-1',
        '2026-05-01 09:30:00',
        'Managers DE',
        'EMBA brochure',
        'Sponsored',
        'Jörg',
        'Müller',
        'joerg@example.com',
        'Harbour GmbH',
        'Head of Sales',
      ],
    ]),
    leads: [
      {
        ...{
          first_name: 'Jörg',
          last_name: 'Müller',
          email: 'joerg@example.com',
          time: '2026-05-01 09:30:00',
        },
        lead: {
          ...{ entry_id: 'li-1', campaign: 'Managers DE', page_id: 'EMBA brochure' },
          ...{ company_name: 'Harbour GmbH', job_title: 'Head of Sales' },
        },
      },
    ],
  },
  {
    source: 'TikTok lead generation',
    facts: 'UTF-8 with mark; `Created Time`; numbers with plus and without blanks',
    name: 'tiktok_leads.csv',
    content: withMark(
      separated([
        [
          'Lead ID',
          'Created Time',
          'Campaign Name',
          'Ad Group Name',
          'Ad Name',
          'Form Name',
          'Full name',
          'Phone number',
          'Email',
        ],
        [
          'tt-1',
          '2026-05-01 09:30:00',
          'Autumn',
          'Students',
          'Video 3',
          'Form 1',
          'Kai Rajan',
          '+6591234567',
          'kai@example.com',
        ],
      ]),
    ),
    leads: [
      {
        ...{
          name: 'Kai Rajan',
          mobile: '65 91234567',
          email: 'kai@example.com',
          time: '2026-05-01 09:30:00',
        },
        lead: {
          ...{ entry_id: 'tt-1', campaign: 'Autumn', utm_medium: 'Students', utm_term: 'Video 3' },
          page_id: 'Form 1',
        },
      },
    ],
  },
]
