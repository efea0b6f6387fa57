extension LanguageTable {
  /// Part 4 of the language facts, `ShellCheck Config` to `Zmodel`. The format is that of ``init(_:)``.
  static var facts4: StaticString {
    """
    ShellCheck Config	d			cecfcb		.shellcheckrc		shellcheckrc
    ShellSession	p				.sh-session			bash session|console
    Shen	p			120f14	.shen
    Sieve	p				.sieve
    Simple File Verification	d	Checksums		c9bfed	.sfv			sfv
    Singularity	p			64e6ad		Singularity
    Slang	p			1fbec9	.slang
    Slash	p			007eff	.sl
    Slice	p			003fa2	.ice
    Slim	m			2b2b2b	.slim
    Slint	m			2379f4	.slint
    Smali	p				.smali
    Smalltalk	p			596706	.st .cs			squeak
    Smarty	p			f0c040	.tpl
    Smithy	p			c44536	.smithy
    SmPL	p			c94949	.cocci			coccinelle
    SMT	p				.smt2 .smt .z3		boolector cvc4 mathsat5 opensmt smtinterpol smt-rat stp verit yices2 z3
    Snakemake	p	Python		419179	.smk .snakefile	Snakefile		snakefile
    Solidity	p			aa6746	.sol
    Soong	d					Android.bp
    SourcePawn	p			f69e1d	.sp .inc			sourcemod
    SPARQL	d			0c4597	.sparql .rq
    SpiceDB Schema	d			a5318a	.zed
    Spline Font Database	d				.sfd
    SQF	p			3f3f3f	.sqf .hqf
    SQL	d			e38c00	.sql .ddl .inc .mysql .prc .tab .udf .viw
    SQLPL	p			e38c00	.sql .db2
    Squirrel	p			800000	.nut
    SRecode Template	m			348a34	.srt
    SSH Config	d	INI				ssh-config|ssh_config|sshconfig|sshconfig.snip|sshd-config|sshd_config		sshconfig|sshdconfig|ssh_config|sshd_config
    Stan	p			b2011d	.stan
    Standard ML	p			dc566d	.ml .fun .sig .sml			sml
    STAR	d				.star
    Starlark	p			76d275	.bzl .star	BUCK|BUILD|BUILD.bazel|MODULE.bazel|Tiltfile|WORKSPACE|WORKSPACE.bazel|WORKSPACE.bzlmod		bazel|bzl
    Stata	p			1a5f91	.do .ado .doh .ihlp .mata .matah .sthlp
    STL	d			373b5e	.stl			ascii stl|stla
    STON	d	Smalltalk			.ston
    StringTemplate	m			3fb34f	.st
    Stylus	m			ff6347	.styl
    SubRip Text	d			9e0101	.srt
    SugarSS	m			2fcc9f	.sss
    SuperCollider	p			46390b	.sc .scd		sclang scsynth
    SurrealQL	p			ff00a0	.surql			surql
    Survex data	d			ffcc99	.svx
    Svelte	m			ff3e00	.svelte
    SVG	d			ff9900	.svg
    Sway	p			00f58c	.sw
    Sweave	t			198ce7	.rnw
    Swift	p		1	f05138	.swift
    SWIG	p				.i .swg .swig
    SystemVerilog	p			dae1c2	.sv .svh .vh
    Tact	p			48b5ff	.tact
    Talon	p			333333	.talon
    Tape	p				.tape			vhs
    Tcl	p			e4cc98	.tcl .adp .sdc .tcl.in .tm .xdc	owh|starfield	tclsh wish	sdc|xdc
    Tcsh	p	Shell			.tcsh .csh		tcsh csh
    Tea	m				.tea
    Teal	p			00b1bc	.tl		tl
    templ	m			66d0dd	.templ
    Terra	p			00004c	.t		lua
    Terraform Template	m	HCL		7b42bb	.tftpl
    TeX	m			3d6117	.tex .aux .bbx .cbx .cls .dtx .ins .lbx .ltx .mkii .mkiv .mkvi .sty .toc			latex
    Texinfo	t				.texinfo .texi .txi		makeinfo
    Text	t				.txt .fr .nb .ncl .no	CITATION|CITATIONS|COPYING|COPYING.regex|COPYRIGHT.regex|FONTLOG|INSTALL|INSTALL.mysql|LICENSE|LICENSE.mysql|NEWS|README.me|README.mysql|README.nss|README.pc|click.me|delete.me|keep.me|package.mask|package.use.mask|package.use.stable.mask|read.me|readme.1st|test.me|use.mask|use.stable.mask		fundamental|plain text
    TextGrid	d			c8506d	.TextGrid
    Textile	t			ffe7ac	.textile
    TextMate Properties	d			df66e4		.tm_properties		tm-properties
    Thrift	p			d12127	.thrift
    TI Program	p			a0aa87	.8xp .8xp.txt
    TL-Verilog	p			c40023	.tlv
    TLA	p			4b0079	.tla
    TMDL	d			f0c913	.tmdl			Tabular Model Definition Language
    Toit	p			c2c9fb	.toit
    Tolk	p			30a1f5	.tolk
    TOML	d			9c4221	.toml .toml.example	Cargo.lock|Cargo.toml.orig|Gopkg.lock|Pipfile|mise.local.lock|mise.lock|pdm.lock|poetry.lock|uv.lock
    Tor Config	d			59316b		torrc		torrc
    Tree-sitter Query	p			8ea64c	.scm			tsq
    TSPLIB data	d				.tsp			travelling salesman problem|traveling salesman problem
    TSQL	p			e38c00	.sql
    TSV	d			237346	.tsv .vcf			tab-seperated values
    TSX	p	TypeScript		3178c6	.tsx			typescriptreact
    Turing	p			cf142b	.t .tu
    Turtle	d				.ttl
    Twig	m			c1d026	.twig
    TXL	p			0178b8	.txl
    Type Language	d				.tl			tl
    TypeScript	p		1	3178c6	.ts .cts .mts		bun deno ts-node tsx node	ts
    TypeSpec	p			4a3665	.tsp			tsp
    Typst	p			239dad	.typ			typ
    ucode	p			00b8d4	.uc		ucode
    Unified Parallel C	p	C		4e3617	.upc
    Unity3D Asset	d			222c37	.anim .asset .mask .mat .meta .prefab .unity
    Unix Assembly	p	Assembly			.s .ms			gas|gnu asm|unix asm
    Uno	p			9933cc	.uno
    UnrealScript	p			a54c4d	.uc
    Untyped Plutus Core	p			36adbd	.uplc
    UrWeb	p			ccccee	.ur .urs			Ur/Web|Ur
    V	p			4f87c4	.v			vlang
    Vala	p			a56de2	.vala .vapi
    Valve Data Format	d			f26025	.vdf .vmf			keyvalues|vdf
    VBA	p			867db1	.bas .cls .frm .vba			visual basic for applications
    VBScript	p			15dcdc	.vbs
    vCard	d			ee2647	.vcf			virtual contact file|electronic business card
    VCL	p			148aa8	.vcl
    Velocity Template Language	m			507cff	.vtl			vtl|velocity
    Vento	m			ff0080	.vto
    Verilog	p			b2b7f8	.v .veo
    Verse	p			518ef8	.verse
    VHDL	p			adb2cb	.vhdl .vhd .vhf .vhi .vho .vhs .vht .vhw
    Vim Help File	t			199f4b	.txt			help|vimhelp
    Vim script	p			199f4b	.vim .vba .vimrc .vmb	.exrc|.gvimrc|.nvimrc|.vimrc|_vimrc|gvimrc|nvimrc|vimrc		vim|viml|nvim|vimscript
    Vim Snippet	m			199f4b	.snip .snippet .snippets			SnipMate|UltiSnip|UltiSnips|NeoSnippet
    Visual Basic .NET	p			945db7	.vb .vbhtml			visual basic|vbnet|vb .net|vb.net
    Visual Basic 6.0	p			2c6353	.bas .cls .ctl .Dsr .frm			vb6|vb 6|visual basic 6|visual basic classic|classic visual basic
    Volt	p			1f1f1f	.volt
    Vue	m			41b883	.vue
    Vyper	p			9f4cf2	.vy
    Wavefront Material	d				.mtl
    Wavefront Object	d				.obj
    WDL	p			42f1f4	.wdl			Workflow Description Language
    Web Ontology Language	d			5b70bd	.owl
    WebAssembly	p			04133b	.wast .wat			wast|wasm
    WebAssembly Interface Type	d			6250e7	.wit			wit
    WebIDL	p				.webidl
    WebVTT	d				.vtt			vtt
    Wget Config	d	INI				.wgetrc		wgetrc
    WGSL	p			1a5e9a	.wgsl
    Whiley	p			d5c397	.whiley
    Wikitext	t			fc5757	.mediawiki .wiki .wikitext			mediawiki|wiki
    Win32 Message File	d				.mc
    Windows Registry Entries	d			52d5ff	.reg
    wisp	p			7582d1	.wisp
    Witcher Script	p			ff0000	.ws
    Wolfram Language	p			dd1100	.mathematica .cdf .m .ma .mt .nb .nbp .wl .wls .wlt		wolfram WolframKernel wolframscript math MathKernel MathematicaScript WolframNB Mathematica	mathematica|mma|wolfram|wolfram lang|wl
    Wollok	p			a23738	.wlk
    World of Warcraft Addon Data	d			f7e43f	.toc
    Wren	p			383838	.wren			wrenlang
    X BitMap	d	C			.xbm			xbm
    X Font Directory Index	d					encodings.dir|fonts.alias|fonts.dir|fonts.scale
    X PixMap	d	C			.xpm .pm			xpm
    X10	p			4b6bef	.x10			xten
    xBase	p			403a40	.prg .ch .prw			advpl|clipper|foxpro
    XC	p			99da07	.xc
    XCompose	d					.XCompose|XCompose|xcompose
    Xmake	p			22a079		xmake.lua
    XML	d			0060ac	.xml .adml .admx .ant .axaml .axml .builds .ccproj .ccxml .clixml .cproject .cscfg .csdef .csl .csproj .ct .depproj .dita .ditamap .ditaval .dll.config .dotsettings .filters .fsproj .fxml .glade .gml .gmx .gpx .grxml .gst .hzp .icls .iml .ivy .jelly .jsproj .kml .launch .mdpolicy .meta4 .mjml .mm .mod .mojo .mxml .natvis .ncl .ndproj .nproj .nuspec .odd .osm .pkgproj .pluginspec .proj .props .ps1xml .psc1 .pt .pubxml .qhelp .rbxmx .rdf .res .resx .rs .rss .sch .scxml .sfproj .shproj .slnx .srdf .storyboard .sublime-snippet .sw .targets .tml .ts .tsx .typ .ui .urdf .ux .vbproj .vcxproj .vsixmanifest .vssettings .vstemplate .vxml .wixproj .workflow .wsdl .wsf .wxi .wxl .wxs .x3d .xacro .xaml .xib .xlf .xliff .xmi .xml.dist .xmp .xproj .xsd .xspec .xul .zcml	.classpath|.cproject|.project|App.config|NuGet.config|Settings.StyleCop|Web.Debug.config|Web.Release.config|Web.config|packages.config		rss|xsd|wsdl
    XML Property List	d	XML		0060ac	.plist .stTheme .tmCommand .tmLanguage .tmPreferences .tmSnippet .tmTheme
    Xojo	p			81bd41	.xojo_code .xojo_menu .xojo_report .xojo_script .xojo_toolbar .xojo_window
    Xonsh	p			285eef	.xsh
    XPages	d				.xsp-config .xsp.metadata
    XProc	p				.xpl .xproc
    XQuery	p			5232e7	.xquery .xq .xql .xqm .xqy
    XS	p				.xs
    XSLT	p			eb8ceb	.xslt .xsl			xsl
    Xtend	p			24255d	.xtend
    Yacc	p			4b6c4b	.y .yacc .yy
    YAML	d			cb171e	.yml .mir .reek .rviz .sublime-syntax .syntax .yaml .yaml-tmlanguage .yaml.sed .yml.mysql	.clang-format|.clang-tidy|.clangd|.eslintrc|.gemrc|.releaserc|CITATION.cff|glide.lock|pixi.lock|yarn.lock		yml
    YANG	d				.yang
    YARA	p			220000	.yar .yara
    YASnippet	m			32ab90	.yasnippet			snippet|yas
    Yul	p			794932	.yul
    ZAP	p			0d665e	.zap .xzap
    Zeek	p				.zeek .bro			bro
    ZenScript	p			00bcd1	.zs
    Zephir	p			118f9e	.zep
    Zig	p			ec915c	.zig .zig.zon
    ZIL	p			dc75e5	.zil .mud
    Zimpl	p			d67711	.zimpl .zmpl .zpl
    Zmodel	d			ff7100	.zmodel
    """
  }
}
