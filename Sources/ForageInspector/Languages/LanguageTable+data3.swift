extension LanguageTable {
  /// Part 3 of the language facts, `Mint` to `Shell`. The format is that of ``init(_:)``.
  static var facts3: StaticString {
    """
    Mint	p			02b046	.mint
    Mirah	p			c7a938	.druby .duby .mirah
    mIRC Script	p			3d57c3	.mrc
    MLIR	p			5ec8db	.mlir
    Modelica	p			de1d31	.mo
    Modula-2	p			10253f	.mod
    Modula-3	p			223388	.i3 .ig .m3 .mg
    Module Management System	p				.mms .mmk	descrip.mmk|descrip.mms
    Mojo	p			ff4c1f	.mojo
    Monkey	p				.monkey .monkey2
    Monkey C	p			8d6747	.mc
    Moocode	p				.moo
    MoonBit	p			b92381	.mbt
    MoonScript	p			ff4585	.moon		moon
    Motoko	p			fbb03b	.mo
    Motorola 68K Assembly	p	Assembly		005daa	.asm .i .inc .s .x68			m68k
    Move	p			4a137a	.move
    MQL4	p			62a8d6	.mq4 .mqh
    MQL5	p			4a76b8	.mq5 .mqh
    MTML	m			b7e1f4	.mtml
    MUF	p	Forth			.muf .m
    mupad	p			244963	.mu
    Muse	t				.muse			amusewiki|emacs muse
    Mustache	m			724b3b	.mustache
    Myghty	p				.myt
    nanorc	d	INI		2d004d	.nanorc	.nanorc|nanorc
    Nasal	p			1d2c4e	.nas
    NASL	p				.nasl .inc
    NCL	p			28431f	.ncl
    Nearley	p			990000	.ne .nearley
    Nemerle	p			3d3c6e	.n
    NEON	d				.neon			nette object notation|ne-on
    nesC	p			94b0c7	.nc
    NetLinx	p			0aa0ff	.axs .axi
    NetLinx+ERB	p			747faa	.axs.erb .axi.erb
    NetLogo	p			ff6375	.nlogo
    NewLisp	p			87aed7	.nl .lisp .lsp		newlisp
    Nextflow	p			3ac486	.nf	nextflow.config	nextflow
    Nginx	d			009639	.nginx .nginxconf .vhost	nginx.conf		nginx configuration file
    Nickel	p			e0c3fc	.ncl
    Nim	p			ffc200	.nim .nim.cfg .nimble .nimrod .nims	nim.cfg
    Ninja	d				.ninja
    Nit	p			009917	.nit
    Nix	p			7e7eff	.nix			nixos
    NL	d				.nl
    NMODL	p			00356b	.mod
    Noir	p			2f1f49	.nr			nargo
    NPM Config	d	INI		cb3837		.npmrc		npmrc
    NSIS	p				.nsi .nsh
    Nu	p			c9df40	.nu	Nukefile	nush	nush
    NumPy	p	Python		9c8af9	.numpy .numpyw .numsc
    Nunjucks	m			3d8137	.njk			njk
    Nushell	p			4e9906	.nu		nu	nu-script|nushell-script
    NWScript	p			111522	.nss
    OASv2-json	d	OpenAPI Specification v2		85ea2d	.json
    OASv2-yaml	d	OpenAPI Specification v2		85ea2d	.yaml .yml
    OASv3-json	d	OpenAPI Specification v3		85ea2d	.json
    OASv3-yaml	d	OpenAPI Specification v3		85ea2d	.yaml .yml
    Oberon	p				.ob2
    ObjDump	d				.objdump
    Object Data Instance Notation	d				.odin
    Objective-C	p		1	438eff	.m .h			obj-c|objc|objectivec
    Objective-C++	p			6866fb	.mm			obj-c++|objc++|objectivec++
    Objective-J	p			ff0c5a	.j .sj			obj-j|objectivej|objj
    ObjectScript	p			424893	.cls
    OCaml	p			ef7a08	.ml .eliom .eliomi .ml4 .mli .mll .mly		ocaml ocamlrun ocamlscript
    Odin	p			60affe	.odin			odinlang|odin-lang
    Omgrofl	p			cabbff	.omgrofl
    OMNeT++ MSG	p			a0e0a0	.msg			omnetpp-msg
    OMNeT++ NED	p			08607c	.ned			omnetpp-ned
    ooc	p			b0b77e	.ooc
    Opa	p				.opa
    Opal	p			f7ede0	.opal
    Open Policy Agent	p			7d9199	.rego
    OpenAPI Specification v2	d			85ea2d				oasv2
    OpenAPI Specification v3	d			85ea2d				oasv3
    OpenCL	p	C		ed2e2d	.cl .opencl
    OpenEdge ABL	p			5ce600	.p .cls .w			progress|openedge|abl
    OpenQASM	p			aa70ff	.qasm
    OpenRC runscript	p	Shell					openrc-run	openrc
    OpenSCAD	p			e5cd45	.scad
    OpenStep Property List	d				.plist .glyphs
    OpenType Feature File	d				.fea			AFDKO
    Option List	d			476732		.ackrc|.rspec|.yardopts|ackrc|mocha.opts		opts|ackrc
    Org	t			77aa99	.org
    OverpassQL	p			cce2aa	.overpassql
    OverPy	p			78b355	.opy			opy
    Ox	p				.ox .oxh .oxo
    Oxygene	p			cdd0e3	.oxygene
    Oz	p			fab738	.oz
    P4	p			7055b5	.p4
    Pact	p			f7a8b8	.pact
    Pan	p			cc0000	.pan
    Papyrus	p			6600cc	.psc
    Parrot	p			f3ca0a	.parrot
    Parrot Assembly	p	Parrot			.pasm		parrot	pasm
    Parrot Internal Representation	p	Parrot			.pir		parrot	pir
    Pascal	p			e3f171	.pas .dfm .dpr .inc .lpr .pascal .pp		instantfpc	delphi|objectpascal
    Pawn	p			dbb284	.pwn .inc .sma
    PDDL	p			0d00ff	.pddl
    PEG.js	p			234d6b	.pegjs .peggy
    Pep8	p			c76f5b	.pep
    Perl	p		1	0298c3	.pl .al .cgi .fcgi .perl .ph .plx .pm .psgi .t	.latexmkrc|Makefile.PL|Rexfile|ack|cpanfile|latexmkrc	cperl perl	cperl
    PHP	p		1	4f5d95	.php .aw .ctp .fcgi .inc .php3 .php4 .php5 .phps .phpt	.php|.php_cs|.php_cs.dist|Phakefile	php	inc
    Pic	m	Roff			.pic .chem			pikchr
    Pickle	d				.pkl
    PicoLisp	p			6067af	.l		picolisp pil
    PigLatin	p			fcd7de	.pig
    Pike	p			005390	.pike .pmod		pike
    Pip Requirements	d			ffd343		dev-requirements.txt|requirements-dev.txt|requirements.lock.txt|requirements.txt
    pkg-config	d			2b5e82	.pc .pc.in			pkgconf
    Pkl	p			6b9543	.pkl		pkl
    PlantUML	d			fbbd16	.puml .iuml .plantuml
    PLpgSQL	p			336790	.pgsql .sql
    PLSQL	p			dad8d8	.pls .bdy .ddl .fnc .pck .pkb .pks .plb .plsql .prc .spc .sql .tpb .tps .trg .vw
    Pod	t				.pod		perl
    Pod 6	t				.pod .pod6		perl6
    PogoScript	p			d80074	.pogo
    Polar	p			ae81ff	.polar
    Pony	p				.pony
    Portugol	p			f8bd00	.por
    PostCSS	m	CSS		dc3a0c	.pcss .postcss
    PostScript	m			da291c	.ps .eps .epsi .pfa			postscr
    POV-Ray SDL	p			6bac65	.pov .inc			pov-ray|povray
    Power Query	p			d38e0d	.pq			powerquery
    PowerBuilder	p			8f0f8d	.pbt .sra .sru .srw
    PowerShell	p		1	012456	.ps1 .psd1 .psm1		pwsh	posh|pwsh
    Praat	p			c8506d	.praat
    Prisma	d			0c344b	.prisma
    Pro*C	p			bb8368	.pc
    Processing	p			0096d8	.pde
    Procfile	p			3b2f63		Procfile
    Proguard	d				.pro
    Prolog	p			74283c	.pl .plt .pro .prolog .yap		swipl yap
    Promela	p			de0000	.pml
    Propeller Spin	p			7fa2a7	.spin
    Protocol Buffer	d				.proto			proto|protobuf|Protocol Buffers
    Protocol Buffer Text Format	d				.textproto .pbt .pbtxt .txtpb			text proto|protobuf text format
    Public Key	d				.asc .pub
    Pug	m			a86454	.jade .pug
    Puppet	p			302b6d	.pp	Modulefile
    Pure Data	d				.pd
    PureBasic	p			5a6986	.pb .pbi
    PureScript	p			1d222d	.purs
    Pyret	p			ee1e10	.arr
    Python	p		1	3572a5	.py .cgi .fcgi .gyp .gypi .lmi .py3 .pyde .pyi .pyp .pyt .pyw .rpy .spec .tac .wsgi .xpy	.gclient|DEPS|SConscript|SConstruct|wscript	python python2 python3 py pypy pypy3 uv	py|py3|python3|rusthon
    Python console	p	Python		3572a5				pycon
    Python traceback	d	Python		3572a5	.pytb
    q	p			0040cd	.q
    Q#	p			fed659	.qs			qsharp
    QMake	p				.pro .pri		qmake
    QML	p			44a51c	.qml .qbs
    Qt Script	p			00b841	.qs	installscript.qs|toolchain_installscript.qs
    Quake	p			882233		m3makefile|m3overrides
    QuakeC	p			975777	.qc
    QuickBASIC	p			008080	.bas .bi			qb|qbasic|qb64|classic qbasic|classic quickbasic
    Quint	p			9d6ce5	.qnt
    R	p			198ce7	.r .rd .rhistory .rsx	.Rapp.history|.Rhistory|.Rprofile|expr-dist	Rscript	Rscript|splus
    Racket	p			3c5caa	.rkt .rktd .rktl .scrbl		racket
    Ragel	p			9d5200	.rl			ragel-rb|ragel-ruby
    Raku	p			0000fb	.6pl .6pm .nqp .p6 .p6l .p6m .pl .pl6 .pm .pm6 .raku .rakumod .t		perl6 raku rakudo	perl6|perl-6
    RAML	m			77d9fb	.raml
    Rascal	p			fffaa0	.rsc
    RAScript	p			2c97fa	.rascript
    Raw token data	d				.raw			raw
    RBS	d	Ruby		701516	.rbs
    RDoc	t			701516	.rdoc
    Readline Config	d	INI				.inputrc|inputrc		inputrc|readline
    REALbasic	p				.rbbas .rbfrm .rbmnu .rbres .rbtbar .rbuistate
    Reason	p			ff5847	.re .rei
    ReasonLIGO	p	LigoLANG		ff5847	.religo
    Rebol	p			358a5b	.reb .r .r2 .r3 .rebol
    Record Jar	d			0673ba		language-subtag-registry.txt
    Red	p			f50000	.red .reds			red/system
    Redcode	p				.cw
    Redirect Rules	d					_redirects		redirects
    Redscript	p			f44336	.reds
    Regular Expression	d			009a00	.regexp .regex			regexp|regex
    Ren'Py	p			ff7f7f	.rpy			renpy
    RenderScript	p				.rs .rsh
    ReScript	p			ed5051	.res .resi		ocaml
    reStructuredText	t			141414	.rst .rest .rest.txt .rst.txt			rst
    REXX	p			d90e09	.rexx .pprx .rex		regina rexx	arexx
    Rez	p			ffdab3	.r
    Rich Text Format	m				.rtf
    Ring	p			2d54cb	.ring
    Riot	m			a71e49	.riot
    RMarkdown	t			198ce7	.qmd .rmd
    RobotFramework	p			00c0b5	.robot .resource
    Robots Exclusion Rules	d					robots.txt		robots|robots txt|robotx.txt
    Roc	p			7c38f5	.roc
    Rocq Prover	p			d0b68c	.v .coq			coq|rocq
    Roff	m			ecdebe	.roff .1 .1in .1m .1x .2 .3 .3in .3m .3p .3pm .3qt .3x .4 .5 .6 .7 .8 .9 .l .man .mdoc .me .ms .n .nr .rno .tmac	eqnrc|mmn|mmt|troffrc|troffrc-end		groff|man|manpage|man page|man-page|mdoc|nroff|troff
    Roff Manpage	m	Roff		ecdebe	.1 .1in .1m .1x .2 .3 .3in .3m .3p .3pm .3qt .3x .4 .5 .6 .7 .8 .9 .man .mdoc
    RON	d			a62c00	.ron
    ROS Interface	d			22314e	.msg .action .srv			rosmsg
    Rouge	p			cc0088	.rg
    RouterOS Script	p			de3941	.rsc		RouterOS
    RPC	p				.x			rpcgen|oncrpc|xdr
    RPGLE	p			2bde21	.rpgle .sqlrpgle			ile rpg|sqlrpgle
    RPM Spec	d				.spec			specfile
    Ruby	p		1	701516	.rb .builder .eye .fcgi .gemspec .god .jbuilder .mspec .pluginspec .podspec .prawn .rabl .rake .rbi .rbuild .rbw .rbx .ru .ruby .spec .thor .watchr	.irbrc|.pryrc|.simplecov|Appraisals|Berksfile|Brewfile|Buildfile|Capfile|Dangerfile|Deliverfile|Fastfile|Gemfile|Guardfile|Jarfile|Mavenfile|Podfile|Puppetfile|Rakefile|Snapfile|Steepfile|Thorfile|Vagrantfile|buildfile	ruby macruby rake jruby rbx	jruby|macruby|rake|rb|rbx
    RUNOFF	m			665a4e	.rnh .rno
    Rust	p		1	dea584	.rs .rs.in		rust-script	rs
    Sage	p				.sage .sagews
    Sail	p			259dd5	.sail
    Salt	p			57bcad	.sls			saltstack|saltstate
    SAS	p			b34936	.sas
    Sass	m			a53b70	.sass
    Scala	p		1	c22d40	.scala .kojo .sbt .sc		scala
    Scaml	m			bd181a	.scaml
    Scenic	p			fdc700	.scenic		scenic
    Scheme	p			1e4aec	.scm .sch .sld .sls .sps .ss		scheme guile bigloo chicken csi gosh r6rs
    Scilab	p			ca0f21	.sci .sce .tst
    SCSS	m			c6538c	.scss
    sed	p			64b970	.sed		gsed minised sed ssed
    Self	p			0579aa	.self
    SELinux Policy	d				.te	file_contexts|genfs_contexts|initial_sids|port_contexts|security_classes		SELinux Kernel Policy Language|sepolicy
    ShaderLab	p			222c37	.shader
    Shell	p		1	89e051	.sh .bash .bats .cgi .command .fcgi .ksh .pacscript .sbatch .sh.in .slurm .tmux .tool .trigger .zsh .zsh-theme	.bash_aliases|.bash_functions|.bash_history|.bash_logout|.bash_profile|.bashrc|.cshrc|.envrc|.flaskenv|.kshrc|.login|.profile|.tmux.conf|.xinitrc|.xsession|.zlogin|.zlogout|.zprofile|.zshenv|.zshrc|9fs|PKGBUILD|bash_aliases|bash_logout|bash_profile|bashrc|cshrc|gradlew|kshrc|login|man|mvnw|profile|tmux.conf|xinitrc|xsession|zlogin|zlogout|zprofile|zshenv|zshrc	ash bash dash ksh mksh pdksh rc sh zsh	sh|shell-script|bash|zsh|envrc
    """
  }
}
