"""Korean requests over tools that are described in English: the words that name what tools do and work on."""

import re

_HANGUL = re.compile("[\uac00-\ud7a3]+")
_ACTIONS = """
    추가 담기 넣기 넣어=add | 생성 만들기 만들어 만들 신규 새로=create | 등록 가입=register | 작성 쓰기=write | 게시=post
    | 예약=book | 설정=set | 업로드 올리기 올려=upload | 수정 변경 바꾸기 바꿔 편집 고치기=update | 갱신 업데이트=update
    | 삭제 제거 지우기 지워=delete | 비우기 비워=clear | 초기화=reset | 취소 철회=cancel | 중지 중단 정지 멈춰=stop
    | 종료 닫기 닫아=close | 열기 열어=open | 시작 실행 돌려=run | 재시작=restart | 활성화 켜기 켜줘=enable
    | 비활성화 끄기 꺼줘=disable | 조회 보기 보여 알려 확인 열람=get | 목록 리스트=list | 검색 찾기 찾아 탐색=search
    | 추천=recommend | 다운로드 내려받기=download | 내보내기=export | 가져오기=import | 전송 보내기 보내 발송=send
    | 공유=share | 알림=notify | 이동 옮기기 옮겨 이체=move | 복사 복제=copy | 병합 합치기=merge | 승인 허가=approve
    | 거절 거부 반려=reject | 로그인=login | 로그아웃=logout | 검증 검사=verify | 번역=translate | 변환=convert
    | 계산 얼마=calculate | 비교=compare | 분석=analyze | 구독=subscribe | 추적=track | 구매 구입=buy
    | 결제 지불=pay | 신청 요청=request | 할당 배정 지정=assign | 부여=grant | 적용=apply | 배포=deploy
    | 초대=invite | 차단=block | 저장=save | 복원 복구=restore
"""
_THINGS = """
    장바구니=cart | 상품 제품=product | 주문=order | 주문서=order | 결제=payment | 환불=refund | 반품=return
    | 교환=exchange | 배송 배달=shipping | 배송비=shipping cost | 배송지=shipping address | 운송장=tracking
    | 재고=inventory | 수량=quantity | 가격 금액=price | 할인=discount | 쿠폰=coupon | 후기 리뷰 평가=review
    | 평점 별점=rating | 고객=customer | 회원=member | 사용자 유저=user | 계정=account | 프로필=profile
    | 비밀번호=password | 주소=address | 전화번호=phone | 이메일 메일=email | 이름=name | 권한=permission
    | 역할=role | 관리자=administrator | 그룹=group | 조직=organization | 부서=department
    | 회사=company | 직원=employee | 담당자=assignee | 세션=session | 토큰=token | 정보=information
    | 상세 세부=detail | 상태=status | 내역 이력 기록=history | 로그=log | 감사=audit | 통계=statistics
    | 보고서=report | 설명=description | 제목=title | 내용=content | 댓글 코멘트=comment | 메시지=message
    | 채널=channel | 채팅=chat | 알림=notification | 환경설정=settings | 카테고리 분류=category | 태그=tag
    | 파일=file | 폴더 디렉터리 디렉토리=folder | 문서=document | 이미지 그림=image | 사진=photo
    | 동영상 영상 비디오=video | 음악 노래=music | 영화=movie | 도서=book | 뉴스=news | 기사=article
    | 날씨=weather | 기온=temperature | 지도=map | 위치=location | 경로=route | 도시=city | 국가 나라=country
    | 호텔 숙소=hotel | 항공편=flight | 항공권=flight ticket | 기차=train | 식당=restaurant | 음식=food
    | 일정=schedule | 달력 캘린더=calendar | 회의=meeting | 행사 이벤트=event | 날짜=date | 시간=time
    | 작업 업무=task | 프로젝트=project | 이슈=issue | 저장소=repository | 브랜치=branch | 커밋=commit
    | 배포=deployment | 서버=server | 서비스=service | 데이터베이스=database | 데이터=data | 테이블=table
    | 쿼리=query | 컨테이너=container | 클러스터=cluster | 네트워크=network | 웹훅=webhook | 워크플로=workflow
    | 결재=approval | 청구서 송장=invoice | 구독=subscription | 은행=bank | 잔액=balance | 환율=exchange rate
    | 주식=stock | 거래=transaction | 세금=tax | 위시리스트=wishlist | 판매자=seller | 공급자=supplier
    | 창고=warehouse | 언어=language | 페이지=page | 링크=link | 화면=screen | 브라우저=browser
"""


def _entries(table: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in table.split("|"):
        korean, _, english = entry.strip().partition("=")
        found.update(dict.fromkeys(korean.split(), english))
    return found


_ACTION_OF = _entries(_ACTIONS)
_THING_OF = _entries(_THINGS)
_LONGEST = max(map(len, (*_ACTION_OF, *_THING_OF)))
_SHORTEST = 2


def korean_words(text: str) -> list[tuple[str, str]]:
    """The known Korean words of a text with their English ones: first what is wanted, then what with.

    Korean says the verb last, English first. Words are found inside longer ones, which carry particles and
    endings; the longest counts. `결제` is both to pay and a payment.
    """
    actions: list[tuple[str, str]] = []
    things: list[tuple[str, str]] = []
    for run in _HANGUL.findall(text):
        at = 0
        while at < len(run):
            word = next(
                (
                    run[at : at + length]
                    for length in range(min(_LONGEST, len(run) - at), _SHORTEST - 1, -1)
                    if run[at : at + length] in _ACTION_OF or run[at : at + length] in _THING_OF
                ),
                "",
            )
            if word in _ACTION_OF:
                actions.append((word, _ACTION_OF[word]))
            if word in _THING_OF:
                things.append((word, _THING_OF[word]))
            at += len(word) or 1
    # Of several verbs the last is what is wanted: `searched orders, cancel`.
    return [*reversed(actions), *things]


def in_english(text: str) -> str:
    """The English words of a Korean request, as a request; empty without a known one."""
    return " ".join(english for _, english in korean_words(text))
