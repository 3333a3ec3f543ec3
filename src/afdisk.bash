# shellcheck shell=bash
# Completion of afdisk(8) for bash. Its lists are those of the program, filled in when that is built.

# An option a line: long name|letter|nothing, value or maybe|what it takes|all that this may be
_afdisk_options='
@bash-options
'

# A command of --edit a line, with what follows it.
_afdisk_commands='
@bash-commands
'

_afdisk_columns='
@bash-columns
'

_afdisk_plans='
@bash-plans
'

_afdisk_types='linux swap home uefi raid lvm'
_afdisk_attributes='RequiredPartition NoBlockIOProtocol LegacyBIOSBootable'

# Adds those of the words $3... that begin with $2, each behind $1, to COMPREPLY.
_afdisk_add() {
	local before=$1 begin=$2 word
	shift 2
	for word in "$@"; do
		[[ $word != "$begin"* ]] || COMPREPLY+=("$before$word")
	done
}

# Tells readline how to go on, where there is one.
_afdisk_readline() {
	compopt "$@" 2>/dev/null
}

# Sets takes, value and words to what option $1 takes; fails if it is no option.
_afdisk_find() {
	local name letter
	while IFS='|' read -r name letter takes value words; do
		[[ -n $name && ($1 == "--$name" || (-n $letter && $1 == "-$letter")) ]] && return
	done <<<"$_afdisk_options"
	return 1
}

_afdisk_complete_option() {
	local name letter takes rest
	while IFS='|' read -r name letter takes rest; do
		[[ -n $name ]] || continue
		_afdisk_add "" "$1" "--$name"
		[[ $1 == --* || -z $letter ]] || _afdisk_add "" "$1" "-$letter"
	done <<<"$_afdisk_options"
}

# Disks, images, and the folders that lead to them.
_afdisk_complete_device() {
	local disk files
	_afdisk_readline -o filenames
	for disk in /sys/block/*; do
		disk=/dev/${disk##*/}
		[[ ! -b $disk || $(cat "/sys/block/${disk##*/}/size" 2>/dev/null) == 0 ]] ||
			_afdisk_add "" "$1" "$disk"
	done
	if [[ $1 == /dev/* ]]; then
		mapfile -t files < <(compgen -d -- "$1")
	else
		mapfile -t files < <(compgen -f -- "$1")
	fi
	COMPREPLY+=("${files[@]}")
}

_afdisk_complete_file() {
	_afdisk_readline -o filenames
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# The last of several columns: +UUID or START,SIZE,...
_afdisk_complete_column() {
	local before='' begin=$1 column
	[[ $1 != *[,+]* ]] || before=${1%"${1##*[,+]}"}
	begin=${1#"$before"}
	_afdisk_readline -o nospace
	for column in $_afdisk_columns; do
		[[ ",${before#+}" == *",$column,"* ]] || _afdisk_add "$before" "${begin^^}" "$column"
	done
}

# The numbers of the partitions of the disk or image that the line names, if it does already.
_afdisk_numbers() {
	local word number
	for word in "${COMP_WORDS[@]:1}"; do
		[[ -b $word || -f $word ]] || continue
		"${COMP_WORDS[0]}" --quiet --list --output NUMBER -- "$word" 2>/dev/null |
			while read -r number; do
				[[ $number == *[!0-9]* ]] || printf '%s ' "$number"
			done
	done
}

# What a word of a usage stands for ("on|off", "N", "[size=SIZE|end=POS]"), behind the text $1 when $2 is begun.
_afdisk_complete_word() {
	local before=$1 begin=$2 part parts found
	IFS='|' read -ra parts <<<"${3//[\[\]]/}"
	for part in "${parts[@]}"; do
		case $part in
		N) read -ra found <<<"$(_afdisk_numbers)" ;;
		TYPE) read -ra found <<<"$_afdisk_types" ;;
		ATTR) read -ra found <<<"$_afdisk_attributes" ;;
		NAME) read -d '' -ra found <<<"$_afdisk_plans" ;;
		type=*)
			found=(type=)
			[[ $begin != type=* ]] || read -ra found <<<"type=${_afdisk_types// / type=}"
			;;
		*=*) found=("${part%%=*}=") ;;
		*[A-Z]*) found=() ;;
		*) found=("$part") ;;
		esac
		_afdisk_add "$before" "$begin" "${found[@]}"
	done
}

# What may stand behind $3 words of the command with the usage $4...: its next word, or optional ones in any order.
_afdisk_complete_argument() {
	local before=$1 begin=$2 n=$3 word usage
	shift 3
	usage=("$@")
	if ((n < $#)) && [[ ${usage[n]} != '['* ]]; then
		_afdisk_complete_word "$before" "$begin" "${usage[n]}"
		return
	fi
	for word in "$@"; do
		[[ $word != '['* ]] || _afdisk_complete_word "$before" "$begin" "$word"
	done
}

# An only answer would close the quotes, and there is more to be typed: so there are two, which begin alike.
_afdisk_keep_open() {
	((${#COMPREPLY[@]} != 1)) || COMPREPLY+=("${COMPREPLY[0]} ")
}

# The last of the commands of --edit, $1: its verb, or what may follow.
_afdisk_complete_commands() {
	local command begin before usage words
	command=${1##*;}
	begin=${command##*[[:space:]]}
	before=${1%"$begin"}
	read -ra words <<<"${command%"$begin"}"
	_afdisk_readline -o nospace
	while read -ra usage; do
		[[ -n ${usage[0]} ]] || continue
		if ((${#words[@]} == 0)); then
			_afdisk_add "$before" "$begin" "${usage[0]}${usage[1]:+ }"
		elif [[ ${usage[0]} == "${words[0]}" ]]; then
			_afdisk_complete_argument "$before" "$begin" ${#words[@]} "${usage[@]}"
		fi
	done <<<"$_afdisk_commands"
}

# What option $1 takes, of which $2 is begun. Fails if that is nothing.
_afdisk_complete_value() {
	local takes value words
	_afdisk_find "$1" || return
	[[ $takes == value || ($takes == maybe && $3 == '=') ]] || return
	case $value in
	FILE) _afdisk_complete_file "$2" ;;
	COMMANDS)
		_afdisk_complete_commands "${2#[\'\"]}"
		[[ $2 == [\'\"]* ]] || COMPREPLY=("${COMPREPLY[@]/#/\'}")
		_afdisk_keep_open
		;;
	COLUMN,...) _afdisk_complete_column "$2" ;;
	*)
		read -ra words <<<"$words"
		_afdisk_add "" "$2" "${words[@]}"
		;;
	esac
}

# A = begins a word of its own in what bash makes of the line.
_afdisk() {
	local cur=${COMP_WORDS[COMP_CWORD]} option='' sign=''
	COMPREPLY=()
	((COMP_CWORD < 1)) || option=${COMP_WORDS[COMP_CWORD - 1]}
	if [[ $cur == '=' ]]; then
		sign='='
		cur=
	elif [[ $option == '=' ]] && ((COMP_CWORD >= 2)); then
		sign='='
		option=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	_afdisk_complete_value "$option" "$cur" "$sign" && return
	if [[ $cur == -* ]]; then
		_afdisk_complete_option "$cur"
	else
		_afdisk_complete_device "$cur"
	fi
}

complete -F _afdisk afdisk
